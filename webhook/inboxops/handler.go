package inboxops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Defaults of Handler.
const (
	DefaultEvery  = 5 * time.Second  // of Handler.Every
	DefaultBudget = 10 * time.Second // of Handler.Budget
)

// Handler serves the page and the JSON of an inbox under the root of its URL. To mount it elsewhere, use
// http.StripPrefix. With only Inbox set, it serves programs of the same machine. It is safe for concurrent use. It must
// not be copied, and not changed after the first request.
type Handler struct {
	// Inbox must implement webhook.Browser and webhook.DeadLetters. It must be set.
	Inbox webhook.Inbox
	// Allow reports whether a request may see bodies, replay and purge. It must authenticate the request. If nil, only
	// loopback addresses are allowed, and requests with a header that proxies add, such as X-Forwarded-For, are
	// rejected.
	Allow func(*http.Request) bool
	// Hosts are the host names of the page, without a port, in addition to localhost, 127.0.0.1 and ::1. Requests for
	// other hosts are answered 421. Otherwise a site whose name resolves to this machine could read the page.
	Hosts []string
	// Judge is the client.Judge that Worker.Judge, Copies.Judge and the others share. If set, the overview shows the
	// stores that refuse the app's token, and an outage of the platform's authorization.
	Judge *client.Judge
	// Visits are the results of the loops of the app by name, such as webhook.Sweep.Visits and client.Copies.Visits.
	// The overview shows the stores that a loop could not visit.
	Visits map[string]func() map[client.ID]client.Visited
	// Queues are the jobs of the app by the names of their queues, such as sqljobs.Queue. If set, a page shows their
	// progress and failures, and can pause, continue and retry them.
	Queues map[string]Queue
	// Title names the app on the page. Empty means Inbox.
	Title string
	// Every is the shortest time between two samples of the figures. They are taken while a page is open, and by Run.
	// Groups are counted less often if that takes long. Zero means DefaultEvery.
	Every time.Duration
	// Budget bounds the time of one request that replays or purges. After it, the page asks whether to continue. It
	// must be shorter than the WriteTimeout of the server. Zero means DefaultBudget.
	Budget time.Duration
	// Logger gets a line for each replay, each purge and each body that was shown. Panics of the inbox are logged at
	// most once a minute. If nil, slog.Default() is used.
	Logger *slog.Logger

	once   sync.Once
	wrong  error
	inbox  inbox
	cross  *http.CrossOriginProtection
	routes *http.ServeMux
	watch  watch
}

// inbox is the part of an inbox that this package uses.
type inbox interface {
	webhook.Inbox
	webhook.Browser
	webhook.DeadLetters
}

// Check returns an error that describes an invalid configuration, or nil. Call it when the program starts, because
// a misconfigured Handler answers every request 503.
func (h *Handler) Check() error {
	var wrong callback.Check
	_, err := usable(h.Inbox)
	wrong.Refuse(err != nil, "%v", err)
	wrong.Refuse(h.Every < 0, "Every is %v: must be 0 or more", h.Every)
	wrong.Refuse(h.Budget < 0, "Budget is %v: must be 0 or more", h.Budget)
	for _, host := range h.Hosts {
		wrong.Refuse(host == "" || hostOf(host) != host,
			"Hosts has %q: must be a name in lower case or an address, without a port", host)
	}
	wrong.Refuse(h.Allow != nil && len(h.Hosts) == 0, "Hosts is empty although Allow is set: must be the host names of the page")
	return wrong.Err("inboxops")
}

// usable returns an inbox as the interface of this package.
func usable(in webhook.Inbox) (inbox, error) {
	if in == nil {
		return nil, errors.New("no Inbox")
	}
	if all, ok := in.(inbox); ok {
		return all, nil
	}
	return nil, fmt.Errorf("Inbox is a %T: must implement webhook.Browser and webhook.DeadLetters", in)
}

// ready makes the handler ready with the first request.
func (h *Handler) ready() error {
	h.once.Do(func() {
		if h.wrong = h.Check(); h.wrong != nil {
			return
		}
		h.inbox, _ = usable(h.Inbox)
		h.cross = http.NewCrossOriginProtection()
		h.watch.inbox, h.watch.every, h.watch.logger = h.inbox, cmp.Or(h.Every, DefaultEvery), h.logger()
		h.routes = http.NewServeMux()
		h.addPages()
		h.addAPI()
	})
	return h.wrong
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	if err := h.ready(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	if status, why := h.refusal(r); status != 0 {
		http.Error(w, why, status)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, mostForm)
	if r.URL.Path == "" { // StripPrefix of a path without a final slash would break relative links
		http.Error(w, "inboxops: mount the handler under a path that ends in a slash", http.StatusNotFound)
		return
	}
	h.routes.ServeHTTP(w, r)
}

// Run takes samples of the figures and groups until ctx ends, also while no page is open, and returns nil. It is
// optional. Pass it to webhook.Ready.Serve.
func (h *Handler) Run(ctx context.Context) error {
	if err := h.ready(); err != nil {
		return err
	}
	tick := time.NewTicker(h.watch.every)
	defer tick.Stop()
	for ctx.Err() == nil {
		h.watch.take(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// ListenAndServe serves the page at an address of its own, such as "127.0.0.1:8081", until ctx ends. It takes samples
// as Run does. It returns an error if it cannot serve. It returns nil when ctx has ended, or if addr is empty. It can
// be passed to webhook.Ready.Serve:
//
//	func(ctx context.Context) error { return ops.ListenAndServe(ctx, "127.0.0.1:8081") }
func (h *Handler) ListenAndServe(ctx context.Context, addr string) error {
	if err := h.ready(); err != nil || addr == "" {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("inboxops: address %q: %w", addr, err)
	}
	ready := &webhook.Ready{Wait: -1} // there is no load balancer in front
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: webhook.AnswerTime, WriteTimeout: 2 * cmp.Or(h.Budget, DefaultBudget),
	}
	return ready.Serve(ctx, l, server, h.Run)
}

func (h *Handler) logger() *slog.Logger {
	if h.Logger != nil {
		return h.Logger
	}
	return slog.Default()
}

// audit logs an action of an operator.
func (h *Handler) audit(r *http.Request, what string, attrs ...slog.Attr) {
	attrs = append(attrs, slog.String("remote", callback.Printable(r.RemoteAddr, callback.MostShown)))
	h.logger().LogAttrs(r.Context(), slog.LevelInfo, "webhook/inboxops: "+what, attrs...)
}
