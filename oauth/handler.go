package oauth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Handler installs the app. Mount it at the app's redirect URL: a plain visit begins an installation, and the
// platform's redirect back ends it. App and Tokens are required; the zero value of each other field works. A Handler
// must not be copied or changed after its first use. It is safe for concurrent use.
type Handler struct {
	App    App
	Tokens TokenStore

	// PublicURL is the address at which browsers reach this site, such as https://app.example. A path is allowed and
	// ignored. It decides how the cookie is set, because a proxy in front of the app may not report TLS.
	//
	// The cookie is Secure, even if PublicURL is empty. It is not Secure if PublicURL is http with a loopback host
	// (localhost, *.localhost, 127.0.0.1, ::1), for development. Most browsers, but not all, also accept the Secure
	// cookie at http://localhost. Any other address is a configuration error, which the first request reports.
	PublicURL string

	// States stores the installations that were begun, and their outcomes. Nil means memory, which serves one process.
	States StateStore

	// ReturnTo is the path of this site to which the browser goes after an installation that was begun without a path.
	// Empty means the success page.
	ReturnTo string

	// AllowUnsolicited lets a code without a state install the app. Such a code arrives when a merchant starts at the
	// platform's admin.
	//
	// DANGER: any attacker can then make another person's browser end an installation of a store that the attacker
	// chooses. Never sign the browser in as the store's merchant because of such an installation. If the same callback
	// reaches two processes at once, both send the code.
	//
	// If it is false nothing is exchanged, and the browser sees a page with a button that begins an installation.
	// Failure can save that click:
	//	Failure: func(w http.ResponseWriter, r *http.Request, status int, err error) {
	//		if errors.Is(err, oauth.ErrUnsolicited) {
	//			h.Begin(w, r, "")
	//			return
	//		}
	//		...
	//	}
	AllowUnsolicited bool

	// Verify asks the platform whether the token of an installation is alive, by any cheap call of the API. An error
	// means that the answer is unknown. A new token that is not alive is verified again for five seconds, because not
	// all servers of the platform may know it yet. After that it is stored as Due; see OnInstalled. Handler uses it to
	// store the token issued last when several installations of one store end at the same time. Uninstall uses it to
	// check whether a late event is about the present token.
	//
	// Nil means that installations end one after the other. An installation that waits longer than App.Timeout is
	// refused with status 503. That orders the installations within this process only. Set Verify if several processes
	// serve the redirect URL, or if requests with invalid codes must not delay merchants. Verify may be called several
	// times for one installation. Each call may take App.Timeout; a call that takes longer is reported, and the token
	// is stored.
	Verify func(ctx context.Context, in Install) (alive bool, err error)

	// Judge, if set, decides whether a refusal suffices to retire a token; see Uninstall. A new token ends the doubts
	// about its store. Share it with the other parts of the app that use a Judge.
	Judge *client.Judge

	// OnInstalled is called after the token of an installation is stored, until it has succeeded once for each
	// installation, and after Revive. Register webhooks here (WebhookService.Ensure of package client). If it fails the
	// token stays, and the browser sees a page which says that the app is installed but not ready (ErrIncomplete). The
	// same happens if it panics, or takes more than two minutes. Its context does not end when the browser leaves.
	//
	// If the platform refuses the new token, the token is stored anyway, and the browser sees a page which says that
	// the app is not ready yet (ErrIncomplete). OnInstalled is called once the token is accepted. A token that is
	// refused for ten minutes is retired (see client.ActRetire), which is reported to OnError.
	//
	// Until OnInstalled has succeeded, the record is Due. KeepRetired verifies Due tokens and repeats the call, at
	// growing intervals up to an hour. If the process of the call dies, another one repeats it, three minutes later at
	// the earliest. A process may die after the call and before it is recorded, so make it idempotent. A TokenStore
	// that is no Retirer cannot list Due tokens, so after a restart they stay Due until the next installation.
	OnInstalled func(ctx context.Context, in Install) error

	// SignIn signs the browser in as a user of the store. It is called before each redirect that follows a successful
	// installation, and may add a cookie to w, so a session also works with a path to return to. It must write nothing
	// else to w. The browser has begun the installation and may repeat its callback for 10 minutes; in is loaded from
	// Tokens. An installation without a state (AllowUnsolicited) signs nobody in. If SignIn fails, the browser sees a
	// page which says that the app is installed, and the same callback tries again. Nil means that nobody is signed in.
	SignIn func(w http.ResponseWriter, r *http.Request, in Install) error

	// Success answers requests for the success address: the redirect URL with the parameter "installed". The browser is
	// sent there after an installation that has no path to return to. For 10 minutes the browser that installed the app
	// may load it again; other browsers are rejected. in is loaded from Tokens. Nil means a plain page.
	Success func(w http.ResponseWriter, r *http.Request, in Install)

	// Failure answers the browser when an installation failed, and each time the same callback arrives again. It should
	// send the given status. A title such as "not installed" would be wrong for ErrIncomplete, ErrSuperseded,
	// ErrOutcomeUnknown and ErrState. ErrUnsolicited comes with status 200, since it is no failure. Do not show err to
	// the browser. Nil means plain pages that describe the failure and the next step.
	Failure func(w http.ResponseWriter, r *http.Request, status int, err error)

	// OnError is called once for each failure, for logs and metrics, but not for ErrUnsolicited, prefetches and
	// reloads. Errors hold no secrets, and at most 64 visible characters of a text from the browser or the platform.
	// Nil means that slog.Default logs them as warnings, at most one a minute of each kind.
	OnError func(ctx context.Context, err error)

	pending MemoryStates
	codes   ring[struct{}] // codes already sent
	ends    ring[*outcome] // outcomes of installations
	lane    lane           // where installations wait for each other
	seldom  callback.Seldom
	dues    dues
	own     client.Judge // of Due tokens, if Judge is nil

	setup sync.Once
	guard *callback.Guard // of what the app supplies
	// installing guards OnInstalled, which may wait for another process that prepares the store.
	installing *callback.Guard
	cookies    cookies
	wrong      error // error in PublicURL
}

// Format prints the App, for every verb. The other fields are functions, and state that changes while it is printed.
func (h *Handler) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "oauth.Handler{App:%v}", h.App) }

// ServeHTTP begins an installation on a GET without code and state, and ends an installation on the platform's redirect
// with both. The same callback may arrive again for 10 minutes. It then has the same outcome, with one token request.
//
// HEAD requests get 405 and prefetches get 503; neither uses up the code. In a frame, where browsers drop the cookie,
// the answer is a page whose button opens the same address in the full window.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.ready(w, r) {
		return
	}
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		h.fail(w, r, errMethod, "")
		return
	}
	c, err := readCallback(r.URL.RawQuery)
	switch {
	case err != nil:
		h.fail(w, r, err, "")
	case c.refusal != nil:
		// Nothing is installed here, so any sender is accepted. The state stays valid in case the merchant approves
		// later.
		a, _ := h.attempt(r, c)
		h.fail(w, r, c.refusal, a.again())
	case c.code != "" || c.state != "":
		h.end(w, r, c)
	case c.installed != "":
		h.showInstalled(w, r, c)
	case c.again != "":
		h.beginAgain(w, r, c)
	default:
		h.Begin(w, r, "")
	}
}

// Begin starts an installation and sends the browser to the platform. Call it from a handler of your own, such as that
// of an "install" button. After the installation the browser goes to returnTo, a path of this site; empty means
// Handler.ReturnTo. Begin rejects a returnTo that could lead to another site with status 400, so it may come from the
// request.
//
// In a frame Begin answers with a page whose button repeats the request in the full window; a POST is repeated without
// its form values. A prefetch gets 503, and HEAD gets 405.
func (h *Handler) Begin(w http.ResponseWriter, r *http.Request, returnTo string) {
	if !h.ready(w, r) {
		return
	}
	if returnTo == "" {
		returnTo = h.ReturnTo
	}
	if returnTo != "" {
		if err := checkTarget(returnTo); err != nil {
			h.fail(w, r, err, "")
			return
		}
	}
	browser, now := h.cookies.name(r), time.Now()
	state := newState(h.App.ID, browser, now)
	to, err := h.App.AuthorizeURL(state.String())
	if err != nil {
		h.fail(w, r, err, "")
		return
	}
	p := Pending{ReturnTo: returnTo, Expires: now.Add(stateLifetime)}
	if err := h.states().Put(r.Context(), stateKey(h.App.ID, state, browser), p); err != nil {
		h.fail(w, r, fmt.Errorf("oauth: put state: %w", err), "")
		return
	}
	h.cookies.keep(w, r, browser)
	redirect(w, to)
}

// beginAgain begins an installation that returns to the path of an earlier one.
func (h *Handler) beginAgain(w http.ResponseWriter, r *http.Request, c callbackQuery) {
	returnTo := h.ReturnTo
	if a, err := h.attempt(r, callbackQuery{state: c.again}); err == nil {
		returnTo = h.returnPath(r.Context(), a)
	}
	h.Begin(w, r, returnTo)
}

// installTime is how long OnInstalled may take.
const installTime = 2 * time.Minute

// prepare makes what the handler needs at the first use.
func (h *Handler) prepare() {
	h.setup.Do(func() {
		h.guard, h.installing = callback.NewGuard(h.App.timeout()), callback.NewGuard(installTime)
		h.lane, h.dues.news = make(lane, 1), make(chan struct{}, 1)
		h.cookies, h.wrong = cookiesFor(h.PublicURL)
	})
}

// ready answers requests that must have no effect, and reports whether to continue.
func (h *Handler) ready(w http.ResponseWriter, r *http.Request) bool {
	h.prepare()
	switch {
	case prefetched(r):
		guard(w)
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.Method == http.MethodHead:
		guard(w)
		w.Header().Set("Allow", http.MethodGet)
		w.WriteHeader(http.StatusMethodNotAllowed)
	case framed(r):
		h.framePage(w, r)
	case h.wrong != nil:
		h.fail(w, r, h.wrong, "")
	default:
		return true
	}
	return false
}

// cookiesFor returns the cookies of a site at a public address.
func cookiesFor(publicURL string) (cookies, error) {
	if publicURL == "" {
		return hostCookies, nil
	}
	u, err := parseAddress("Handler.PublicURL", publicURL, "", func(host string) bool {
		return isLoopback(host) || strings.HasSuffix(strings.ToLower(host), ".localhost")
	})
	if err == nil && u.Scheme == "http" {
		return loopbackCookies, nil
	}
	return hostCookies, err
}

// fail reports err and answers the browser. again may be the state of an installation that can be begun again.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error, again string) {
	h.report(r.Context(), err)
	h.answer(w, r, err, again)
}

// answer is fail without a report.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, err error, again string) {
	guard(w)
	if h.Failure != nil {
		h.Failure(w, r, rowOf(err).status, err)
		return
	}
	h.failurePage(w, err, again)
}

func (h *Handler) report(ctx context.Context, err error) {
	if h.OnError != nil {
		h.prepare()
		failed := h.call(ctx, h.guard, "Handler.OnError", func(context.Context) error { h.OnError(ctx, err); return nil })
		if failed == nil {
			return
		}
		err = errors.Join(err, failed)
	}
	if since, due := h.seldom.Due(rowOf(err).name); due {
		slog.WarnContext(ctx, "oauth: an installation did not succeed", "error", err, "not_logged", since)
	}
}

// call calls a function of the app, and returns an error if it hangs, panics or ends its goroutine.
func (h *Handler) call(ctx context.Context, g *callback.Guard, name string, f func(ctx context.Context) error) error {
	_, err := callback.Guarded(ctx, g, name, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}

func (h *Handler) tokens() TokenStore {
	h.prepare()
	return guardedTokens{h.Tokens, h.guard}
}

func (h *Handler) states() StateStore {
	if h.States == nil {
		return &h.pending
	}
	h.prepare()
	return guardedStates{h.States, h.guard}
}
