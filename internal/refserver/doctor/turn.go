package doctor

import (
	"context"
	"net"
	"net/url"
	"time"
)

// turn is a host by which the examinations at a server see each other. An app has one address for each kind of calls,
// and two examinations at once would take it from each other.
const turn = "turn-of-the-doctor.example"

// turnWait is how long an examination waits before it looks again.
const turnWait = 100 * time.Millisecond

// takeTurn waits until no other examination is in progress at the server, and makes the others wait.
func (e *exam) takeTurn(ctx context.Context) error {
	for {
		holder, err := e.holder(ctx)
		switch {
		case err != nil:
			return err
		case holder == e.relay.address: // also after the others had time to come at the same moment
			e.restore = append(e.restore, e.unroute(turn))
			return nil
		case holder == "" || !listens(ctx, holder): // it was killed
			to := object{"origin": "https://" + turn, "targets": []string{e.relay.address}}
			if err := e.platform.put(ctx, "partners", to); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(turnWait):
		}
	}
}

// holder is the relay of the examination in progress, empty if there is none.
func (e *exam) holder(ctx context.Context) (string, error) {
	known, err := all[partner](ctx, e.platform, "partners")
	for _, p := range known {
		if p.Host == turn && len(p.Targets) > 0 {
			return p.Targets[0], err
		}
	}
	return "", err
}

// listens reports whether a program listens at an address.
func listens(ctx context.Context, address string) bool {
	at, err := url.Parse(address)
	if err != nil {
		return false
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", at.Host)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}
