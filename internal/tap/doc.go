// Package tap stands between a client and a server of HTTP/1.1, passes each connection on byte by byte, and shows the
// calls that it reads from a copy of the bytes.
//
//	p := &tap.Proxy{Dial: dial, Seen: func(x tap.Exchange) { … }}
//	err := p.Serve(ctx, listener)
//
// A proxy of calls, such as httputil.ReverseProxy, changes them: it adds headers and removes others, writes names in
// its own case, joins or splits chunks, waits for a body, and answers 502 itself. Here nothing is read before it is
// passed on, so order, framing, timing, streams, interim answers and the way that a connection ends are those of the
// two. What cannot be read, such as HTTP/2 or a connection that was upgraded, is passed on too, and Seen is not called
// for it.
//
// # Bounds
//
// Passing on never waits for reading. Copies that wait to be read, bodies and answers take at most MaxHeld bytes in
// all; above it, calls are passed on and Missed is called with the reason.
package tap
