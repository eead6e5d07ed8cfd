package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// attempt is the callback of one browser.
type attempt struct {
	key       string // of an installation, or of a code
	browser   nonce
	solicited bool
	state     nonce // if solicited
	code      string
}

// attempt finds the browser that a callback belongs to. It has no side effects.
func (h *Handler) attempt(r *http.Request, c callbackQuery) (attempt, error) {
	if c.state == "" {
		if !h.AllowUnsolicited {
			return attempt{}, ErrUnsolicited
		}
		browser := h.cookies.name(r)
		return attempt{key: codeKey(h.App.ID, c.code, browser), browser: browser, code: c.code}, nil
	}
	state, ok := parseNonce(c.state)
	if !ok {
		return attempt{}, fmt.Errorf("%w: malformed state", ErrState)
	}
	known, _ := h.cookies.known(r)
	for _, browser := range known {
		if state.isOf(h.App.ID, browser) {
			key := stateKey(h.App.ID, state, browser)
			return attempt{key: key, browser: browser, solicited: true, state: state, code: c.code}, nil
		}
	}
	switch {
	case state.old():
		return attempt{}, ErrExpired
	case len(known) == 0:
		return attempt{}, ErrNoCookie
	}
	return attempt{}, ErrOtherBrowser
}

// end ends an installation once, and gives each callback of it the same answer.
func (h *Handler) end(w http.ResponseWriter, r *http.Request, c callbackQuery) {
	if h.Tokens == nil {
		h.fail(w, r, errNoTokens, "")
		return
	}
	a, err := h.attempt(r, c)
	switch {
	case errors.Is(err, ErrUnsolicited): // a normal first step, so do not report it
		h.answer(w, r, err, "")
		return
	case err != nil:
		h.fail(w, r, err, "")
		return
	case c.code == "":
		h.fail(w, r, fmt.Errorf("%w: state without code", errQuery), a.again())
		return
	}
	e := h.once(r, a)
	if !a.solicited {
		h.cookies.keep(w, r, a.browser)
	}
	if e.repeated && errors.Is(e.err, ErrIncomplete) {
		if _, err := h.proved(r, e.proof); !errors.Is(err, ErrIncomplete) {
			e.err = err
		}
	}
	if e.err != nil {
		h.answer(w, r, e.err, a.again()) // it was reported where it happened
		return
	}
	if err := h.signIn(w, r, a, e); err != nil {
		h.fail(w, r, err, "")
		return
	}
	redirect(w, e.location())
}

// signIn signs the browser of a successful installation in.
func (h *Handler) signIn(w http.ResponseWriter, r *http.Request, a attempt, e ending) error {
	if h.SignIn == nil || !a.solicited {
		return nil
	}
	in, err := h.proved(r, e.proof)
	if err != nil {
		return err
	}
	if e.repeated {
		r = r.WithContext(context.WithValue(r.Context(), repeatedKey{}, true))
	}
	if err := h.SignIn(w, r, in); err != nil {
		return fmt.Errorf("%w: Handler.SignIn: %w", errStored, err)
	}
	return nil
}

// again returns the parameter that begins the installation again; empty if that is a plain visit.
func (a attempt) again() string {
	if !a.solicited {
		return ""
	}
	return a.state.String()
}

// finish claims the state, exchanges the code and stores the token, in this order. It reports whether the result must
// be stored, because the state or the code was used.
func (h *Handler) finish(ctx context.Context, a attempt) (e ending, remember bool) {
	p, ended, err := h.claim(ctx, a)
	switch {
	case err != nil:
		return ending{err: err}, false
	case ended != nil:
		return *ended, true
	}
	if p.ReturnTo != "" { // the store or the field may be wrong
		if err := checkTarget(p.ReturnTo); err != nil {
			return ending{err: err}, false
		}
	}
	e.returnTo = p.ReturnTo
	sent := hash(h.App.ID, []byte(a.code))
	if !h.codes.put(sent, struct{}{}, time.Now().Add(stateLifetime), defaultMax) {
		e.err = fmt.Errorf("%w: the code was sent already", ErrState)
		return e, true
	}
	in, err := h.install(ctx, a.code)
	if errors.Is(err, ErrNotSent) {
		h.codes.take(sent)
		if a.solicited {
			h.put(ctx, a.key, p)
		}
		e.err = err
		return e, false
	}
	if err == nil {
		err = h.setUp(ctx, in)
	}
	if e.err = err; err == nil || errors.Is(err, ErrIncomplete) {
		e.proof = h.prove(a.browser, in.StoreID)
	}
	h.share(ctx, a, e)
	return e, true
}

// setUp calls OnInstalled for a token that was just stored. If it fails, KeepRetired repeats it.
func (h *Handler) setUp(ctx context.Context, in Install) error {
	err := h.installed(ctx, in)
	switch {
	case !in.Due:
		return err
	case err != nil:
		h.dues.note(in, true)
		return err
	}
	if err := h.completed(ctx, in); err != nil {
		h.dues.note(in, true)
		h.dues.called(in.StoreID)
		h.report(ctx, err)
	}
	return nil
}

// installed calls OnInstalled.
func (h *Handler) installed(ctx context.Context, in Install) error {
	if h.OnInstalled == nil {
		return nil
	}
	in.Due = false
	installed := func(context.Context) error { return h.OnInstalled(context.WithoutCancel(ctx), in) }
	if failed := h.call(ctx, h.installing, "Handler.OnInstalled", installed); failed != nil {
		return fmt.Errorf("%w: %w", ErrIncomplete, failed)
	}
	return nil
}

// proved loads the installation that a proof is of.
func (h *Handler) proved(r *http.Request, proof string) (Install, error) {
	storeID, err := h.proven(r, proof)
	if err != nil {
		return Install{}, err
	}
	in, err := h.tokens().Load(r.Context(), storeID)
	switch {
	case errors.Is(err, ErrNotInstalled):
		return Install{}, errGone
	case err != nil:
		return Install{}, fmt.Errorf("%w: load installation: %w", errStored, err)
	case in.Due:
		return Install{}, errNotKnown
	}
	return in, nil
}

// showInstalled answers a success address. It has no side effects, so the address may be reloaded.
func (h *Handler) showInstalled(w http.ResponseWriter, r *http.Request, c callbackQuery) {
	if h.Tokens == nil {
		h.fail(w, r, errNoTokens, "")
		return
	}
	in, err := h.proved(r, c.installed)
	switch {
	case errors.Is(err, errStored):
		h.fail(w, r, err, "")
	case err != nil: // an old tab: not reported
		h.answer(w, r, err, "")
	case h.Success != nil:
		guard(w)
		h.Success(w, r, in)
	default:
		h.successPage(w)
	}
}

// install exchanges the code for a token and stores it. After the request is sent, install continues even if the
// browser leaves, because a token that is issued and not stored would leave the store without one.
func (h *Handler) install(ctx context.Context, code string) (Install, error) {
	if h.Verify == nil {
		leave, err := h.lane.enter(ctx, h.App.timeout())
		if err != nil {
			return Install{}, err
		}
		defer leave()
	}
	ctx = context.WithoutCancel(ctx)
	sent := time.Now()
	in, err := h.App.Exchange(ctx, code)
	if err != nil {
		return Install{}, err
	}
	return h.save(ctx, in, sent)
}

// lane lets only one installation at a time continue. Only the answer shows which store a code is for, so one lane
// serves all stores.
type lane chan struct{}

func (l lane) enter(ctx context.Context, patience time.Duration) (leave func(), err error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case l <- struct{}{}:
		return func() { <-l }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrNotSent, ctx.Err())
	case <-timer.C:
		return nil, fmt.Errorf("%w: %w", ErrNotSent, errBusy)
	}
}
