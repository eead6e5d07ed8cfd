package control

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// errStreamed says that the answer was a stream, and has ended.
var errStreamed = errors.New("streamed")

// Bounds of a stream.
const (
	heartbeat = 15 * time.Second // between two signs of life
	patience  = 5 * time.Second  // with a follower who does not read
)

// change is a message for a follower, with the number after which it can continue. Nothing is sent if show is nil.
type change struct {
	rev  int64
	show func() any
}

// stream answers the changes after a number, and those to come, until the follower leaves or does not read. since
// returns a piece of them, a smaller one if there are no more.
func (c *call) stream(since func(after int64) []change, next func() <-chan struct{}) (any, error) {
	after, err := c.following()
	if err != nil {
		return nil, err
	}
	c.w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(c.w)
	send := func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(patience)) // fails for a connection of a test, which does not hang
		_, err := c.w.Write([]byte(text))
		return err == nil && control.Flush() == nil
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for ok := send(": follow\n\n"); ok; {
		bell := next()
		for more := true; more && c.ctx.Err() == nil; {
			some := since(after)
			more = len(some) == piece
			for _, one := range some {
				if after = one.rev; one.show == nil {
					continue
				}
				body, err := encode(one.show())
				if err != nil || !send(fmt.Sprintf("id: %d\ndata: %s\n\n", one.rev, body)) {
					return nil, errStreamed
				}
			}
		}
		select {
		case <-bell:
		case <-beat.C:
			ok = send(": alive\n\n")
		case <-c.ctx.Done():
			ok = false
		}
	}
	return nil, errStreamed
}

// following is the number after which the changes begin: that of a connection that was lost, or the parameter.
func (c *call) following() (int64, error) {
	text := cmp.Or(c.r.Header.Get("Last-Event-ID"), c.r.URL.Query().Get("after"), "0")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, wrong("after", cut(text), "must be the id of an event")
	}
	return n, nil
}

func followDeliveries(c *call) (any, error) {
	w := c.server.Webhooks()
	return c.stream(func(after int64) []change {
		var out []change
		for _, d := range w.Since(after, piece) {
			out = append(out, change{d.Rev, func() any { return showDelivery(d) }})
		}
		return out
	}, w.Changed.Next)
}

func followRequests(c *call) (any, error) {
	l := c.server.RequestLog()
	names := c.operationNames()
	return c.stream(func(after int64) []change {
		var out []change
		for _, e := range l.Part(work.Part{After: after, Most: piece}) {
			out = append(out, change{e.Seq, func() any { return showRequest(names, e) }})
		}
		return out
	}, l.Changed.Next)
}
