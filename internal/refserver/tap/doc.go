// Package tap stands between a client and a server of HTTP/1.1, passes each connection on byte by byte, and shows the
// calls that it reads from a copy of the bytes.
//
//	p := &tap.Proxy{Dial: dial, Seen: func(x tap.Exchange) { … }}
//	err := p.Serve(ctx, listener)
//
// A proxy of calls, such as httputil.ReverseProxy, changes them. It adds and removes headers, writes names in its own
// case, joins or splits chunks, waits for a body, and answers 502 itself. Here bytes are read after they were passed
// on. So order, framing, timing, streams, interim answers and the way that a connection ends stay as they are. Bytes
// that cannot be read, such as HTTP/2 or an upgraded connection, are passed on too, and Seen is not called for them.
//
// # Bounds
//
// Passing on never waits for reading. Copies that wait to be read, bodies and answers take at most MaxHeld bytes in
// all; above it, calls are passed on and Missed is called with the reason.
package tap
