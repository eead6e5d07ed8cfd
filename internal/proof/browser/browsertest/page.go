package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The bounds of steps.
const (
	stepTime = 2 * time.Minute       // how long one may take, on a machine with a load of 16
	axeTime  = 10 * time.Minute      // the same for axe-core, which computes and waits for nothing
	pause    = 10 * time.Millisecond // before it looks again
)

// Page is a tab of the browser in a test, which one goroutine may use.
type Page struct {
	t    testing.TB
	view View
	ctx  context.Context
	axe  string
	logs *logs
}

// Open opens an empty tab until the end of the test.
func (b *Browser) Open(t testing.TB, v View) *Page {
	t.Helper()
	p := &Page{t: t, view: v, axe: b.axe, logs: &logs{}}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithListener(p.logs.listen))
	t.Cleanup(cancel)
	p.ctx = ctx
	if err := chromedp.Do(ctx); err != nil { // a tab ends with the context of its first run
		t.Fatalf("open a tab: %v", err)
	}
	p.step("open a tab", chromedp.Func(v.apply))
	dialogs := chromedp.Events(ctx, page.JavascriptDialogOpening)
	closed := make(chan struct{})
	go func() { // a page does nothing while it shows a dialog
		defer close(closed)
		for range dialogs {
			_, _ = chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
		}
	}()
	t.Cleanup(func() { cancel(); <-closed })
	return p
}

// View is the view of the page.
func (p *Page) View() View { return p.view }

// Look changes the view. The page is not loaded again, so scripts of the page must not depend on the view.
func (p *Page) Look(v View) {
	p.t.Helper()
	p.view = v
	p.step("look", chromedp.Func(v.apply))
}

// CheckViews is Check in each of Views. Each page is loaded once, because axe-core takes most of its time to begin.
func (p *Page) CheckViews() {
	p.t.Helper()
	for _, view := range Views() {
		p.Look(view)
		p.Check()
	}
}

// step runs actions with the time of a step.
func (p *Page) step(name string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	p.within(stepTime, name, actions...)
}

func (p *Page) within(limit time.Duration, name string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatalf("%s: %s: %v; the page is:\n%s", p.view, name, err, p.shown())
	}
}

// Visit goes to an address and returns when the new page is loaded and has the text.
func (p *Page) Visit(address, text string) {
	p.t.Helper()
	p.follow("visit "+address, text, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: address})
		return err
	}))
}

// Follow runs actions that lead to another page, and returns when that is loaded and has the text.
func (p *Page) Follow(text string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	p.follow("follow", text, actions...)
}

func (p *Page) follow(name, text string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		p.t.Fatal(err)
	}
	p.step(name, append(append([]chromedp.Action[chromedp.Void]{chromedp.Func(mark)}, actions...),
		waitFor("!globalThis.seenBefore && document.readyState === 'complete' && document.body.innerText.includes("+
			string(quoted)+")"))...)
}

// mark marks the document. The mark is of the world that evaluate uses, so the page does not see it.
func mark(ctx context.Context, t *chromedp.Target) error {
	_, err := evaluate[bool](ctx, t, "globalThis.seenBefore = true")
	return err
}

// Do runs actions that stay on the page.
func (p *Page) Do(name string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	p.step(name, actions...)
}

// Await waits until an expression of the page is true.
func (p *Page) Await(expression string) {
	p.t.Helper()
	p.step("await "+expression, waitFor(expression))
}

// Press presses keys, such as those of package kb, in what has the focus.
func (p *Page) Press(keys string) {
	p.t.Helper()
	p.step(fmt.Sprintf("press %q", keys), chromedp.KeyEvent(keys))
}

// Value returns the value of an expression of the page, whose promise is awaited. The expression runs separately from
// the scripts of the page. It sees the document, but not their variables.
func Value[T any](p *Page, expression string) (value T) {
	p.t.Helper()
	p.step("evaluate "+expression, chromedp.Func(func(ctx context.Context, t *chromedp.Target) (err error) {
		value, err = evaluate[T](ctx, t, expression)
		return err
	}))
	return value
}

// Act evaluates an expression among the scripts of the page, as they would.
func (p *Page) Act(expression string) {
	p.t.Helper()
	p.step("act "+expression, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Evaluate[any](expression)(ctx, t)
		return err
	}))
}

// waitFor waits until an expression is true, also while pages come and go.
func waitFor(expression string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for {
			is, err := evaluate[bool](ctx, t, "Boolean("+expression+")")
			if err == nil && is {
				return nil
			}
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return errors.Join(ctx.Err(), err)
			}
		}
	})
}

// shown returns what the page shows, for an error.
func (p *Page) shown() string {
	ctx, cancel := context.WithTimeout(p.ctx, stepTime)
	defer cancel()
	text, err := chromedp.Run(ctx, func(ctx context.Context, t *chromedp.Target) (string, error) {
		return evaluate[string](ctx, t, "location.href + '\\n' + document.body.innerText.slice(0, 1000)")
	})
	if err != nil {
		return err.Error()
	}
	return text
}

// world is the name of the world of scripts that expressions run in.
const world = "test"

// evaluate evaluates an expression in a world of its own, which the policy of the page does not bind.
func evaluate[T any](ctx context.Context, t *chromedp.Target, expression string) (value T, err error) {
	tree, err := cdp.Call(ctx, t, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return value, err
	}
	apart, err := cdp.Call(ctx, t, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{
		FrameID: tree.FrameTree.Frame.ID, WorldName: world})
	if err != nil {
		return value, err
	}
	return chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise, func(p *runtime.EvaluateParams) {
		p.ContextID = apart.ExecutionContextID
	})(ctx, t)
}
