package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// session keeps one mirror.
type session struct {
	o         options
	t         *transcript
	mirror    *mirror
	api       *v202503.API
	resources []resource
	transport *http.Transport
	reading   chan struct{} // holds one element while something is read and written
}

// complete is printed when the mirror has caught up with the store.
const complete = "the mirror is complete"

// keepMirror is the program against a platform.
func keepMirror(ctx context.Context, o options, t *transcript) (err error) {
	s, err := open(ctx, o, t)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	t.print("store %d of %s is mirrored in %s", o.storeID, o.baseURL, o.db)
	if o.publicURL != "" {
		hooks, err := s.listen(ctx)
		if err != nil {
			return err
		}
		defer hooks.close()
	}
	for _, r := range s.resources {
		if err := s.catchUp(ctx, r); err != nil {
			return err
		}
	}
	t.print("%s", complete)
	if o.follow {
		return s.follow(ctx)
	}
	return nil
}

// open opens the file and makes the client.
func open(ctx context.Context, o options, t *transcript) (*session, error) {
	s := &session{o: o, t: t, transport: client.NewTransport(), reading: make(chan struct{}, 1)}
	c, err := client.New(client.Config{
		BaseURL: o.baseURL, StoreID: client.ID(o.storeID), Token: client.StaticToken(o.token), UserAgent: o.userAgent,
		HTTPClient: &http.Client{Transport: s.transport},
	})
	if err != nil {
		return nil, err
	}
	s.api = v202503.New(c)
	s.resources = []resource{products(s.api), orders(s.api)}
	if s.mirror, err = openMirror(ctx, o.db); err != nil {
		return nil, err
	}
	if err := s.mirror.claim(ctx, o.baseURL, client.ID(o.storeID)); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// follow keeps the mirror equal until the program is interrupted. A failure of the platform is told and the next turn
// makes up for it; a token that is no longer valid ends the program.
func (s *session) follow(ctx context.Context) error {
	changes, reconcile := time.NewTicker(s.o.every), time.NewTicker(s.o.reconcile)
	defer changes.Stop()
	defer reconcile.Stop()
	for {
		turn := s.changes
		select {
		case <-ctx.Done():
			s.t.print("interrupted")
			return nil
		case <-changes.C:
		case <-reconcile.C:
			turn = s.reconcile
		}
		for _, r := range s.resources {
			err := turn(ctx, r)
			if errors.Is(err, client.ErrUnauthorized) {
				return err
			}
			if err != nil && ctx.Err() == nil {
				s.t.print("%s: %v", r.name, err)
			}
		}
	}
}

func (s *session) close() error {
	s.transport.CloseIdleConnections()
	return s.mirror.close()
}
