package oauth

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Handler installs the app. Mount it at the app's redirect URL: a plain visit begins an install, and the platform's
// redirect back ends it. App and Tokens are required, everything else works as its zero value. A Handler must not be
// copied or changed after its first use; it is safe for concurrent use.
type Handler struct {
	App    App
	Tokens TokenStore

	// States keeps the installs that were begun. Nil means a MemoryStates, which serves one process.
	States StateStore

	// ReturnTo is the path of this site to which the browser goes after an install that was begun without a path of its
	// own. Empty means the success page.
	ReturnTo string

	// AllowUnsolicited lets a code without a state install the app, as it arrives when a merchant starts at the
	// platform's admin. DANGER: anybody can then make anybody's browser end an install of a store of his choosing. Never
	// sign the browser in as the store's merchant on the strength of it. Without it the browser is refused and offered to
	// start again, which costs the merchant one click; Failure can save that click:
	//
	//	Failure: func(w http.ResponseWriter, r *http.Request, status int, err error) {
	//		if errors.Is(err, oauth.ErrUnsolicited) {
	//			h.Begin(w, r, "")
	//			return
	//		}
	//		...
	//	}
	AllowUnsolicited bool

	// Verify asks the platform whether the token of an install is alive, by any cheap call of the API; an error means
	// that it could not be found out. It decides which of several installs of one store, ended at the same time, holds
	// the last token issued, and whether an uninstall that is announced late is about the present token.
	//
	// Nil means that installs end one after the other, and one that waits longer than App.Timeout is refused with status
	// 503. That keeps the order within this process only: set Verify where several processes serve the redirect URL, or
	// where strangers with worthless codes must not hold up merchants. It may be called several times for one install.
	Verify func(ctx context.Context, in Install) (alive bool, err error)

	// Installed is told of each install after its token is stored, and is where webhooks are registered
	// (WebhookService.Ensure of package client). If it fails the browser sees the failure page, and the token stays; a
	// process that dies first does not repeat it, so what it does should be repeatable, and be done again when the app starts. Its context does not end when the browser goes away.
	Installed func(ctx context.Context, in Install) error

	// Success answers the browser after an install that has no path to return to. Nil means a plain page.
	Success func(w http.ResponseWriter, r *http.Request, in Install)

	// Failure answers the browser when an install failed; it should send the given status. Nil means a plain page that
	// offers to start again. Do not show err to the browser.
	Failure func(w http.ResponseWriter, r *http.Request, status int, err error)

	// Report is told of everything that went wrong, once, for logs and metrics. Errors hold no secrets, and of what
	// the browser or the platform sent no more than 64 printable characters. Nil means that nobody is told.
	Report func(ctx context.Context, err error)

	pending MemoryStates
	codes   ring[struct{}] // sent already
	lane    lane           // where installs wait for each other
	setup   sync.Once
}

// Format prints the App, whatever the verb: the rest is functions, and state that changes while it is printed.
func (h *Handler) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "oauth.Handler{App:%v}", h.App) }

// ServeHTTP begins an install on a GET without code and state, and ends one on the platform's redirect with both.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		h.fail(w, r, errMethod)
		return
	}
	c, err := readCallback(r.URL.RawQuery)
	switch {
	case err != nil:
		h.fail(w, r, err)
	case c.refusal != nil:
		// Nothing is installed here, so it does not matter who sent it; the state stays good for a change of mind.
		h.fail(w, r, c.refusal)
	case c.code == "" && c.state == "":
		h.Begin(w, r, "")
	default:
		h.end(w, r, c)
	}
}

// Begin starts an install and sends the browser to the platform: call it from a handler of your own, such as an
// "install" button. Afterwards the browser goes to returnTo, a path of this site; empty means Handler.ReturnTo. A
// returnTo that could lead elsewhere is refused with status 400, so it may come from the request.
func (h *Handler) Begin(w http.ResponseWriter, r *http.Request, returnTo string) {
	if returnTo == "" {
		returnTo = h.ReturnTo
	}
	if returnTo != "" {
		if err := checkTarget(returnTo); err != nil {
			h.fail(w, r, err)
			return
		}
	}
	state := newNonce()
	to, err := h.App.AuthorizeURL(state.String())
	if err != nil {
		h.fail(w, r, err)
		return
	}
	key := stateKey(h.App.ID, state, nameBrowser(w, r))
	p := Pending{ReturnTo: returnTo, Expires: time.Now().Add(stateLifetime)}
	if err := h.states().Put(r.Context(), key, p); err != nil {
		h.fail(w, r, fmt.Errorf("oauth: put state: %w", err))
		return
	}
	redirect(w, to)
}

// fail reports err and answers the browser.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	h.report(r.Context(), err)
	guard(w)
	status := statusOf(err)
	if h.Failure != nil {
		h.Failure(w, r, status, err)
		return
	}
	failurePage(w, status, err)
}

func (h *Handler) report(ctx context.Context, err error) {
	if h.Report != nil {
		h.Report(ctx, err)
	}
}

func (h *Handler) states() StateStore {
	if h.States != nil {
		return h.States
	}
	return &h.pending
}

// callback is what the platform's redirect says.
type callback struct {
	code, state string
	refusal     *Error
}

const maxQuery = 8 << 10

// readCallback refuses a query that can be read in two ways.
func readCallback(rawQuery string) (callback, error) {
	if len(rawQuery) > maxQuery {
		return callback{}, fmt.Errorf("%w: query of %d bytes: want at most %d", errQuery, len(rawQuery), maxQuery)
	}
	q, err := url.ParseQuery(rawQuery)
	if err != nil {
		return callback{}, fmt.Errorf("%w: the query cannot be parsed", errQuery)
	}
	for _, key := range []string{"code", "state", "error"} {
		if len(q[key]) > 1 {
			return callback{}, fmt.Errorf("%w: more than one %s", errQuery, key)
		}
	}
	c := callback{code: q.Get("code"), state: q.Get("state")}
	if len(c.code) > maxCode {
		return callback{}, fmt.Errorf("%w: code of %d bytes: want at most %d", errQuery, len(c.code), maxCode)
	}
	if refused := q.Get("error"); refused != "" {
		c.refusal = &Error{Code: clean(refused), Description: clean(q.Get("error_description"))}
	}
	return c, nil
}

// guard keeps the address of this page, which has the code in it, from caches and from the next site.
func guard(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
}

// redirect sends the browser to an address that was built or checked by us, letter by letter as it is.
func redirect(w http.ResponseWriter, to string) {
	guard(w)
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}
