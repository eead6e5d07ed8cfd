package browsertest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/chromedp/chromedp"
)

// Finding is something that axe-core finds wrong with a page.
type Finding struct {
	Rule    string // such as color-contrast
	Help    string
	Element string // its HTML, cut
	Summary string // what to fix
}

// String is one line.
func (f Finding) String() string {
	return fmt.Sprintf("axe %s: %s: %s: %s", f.Rule, f.Help, f.Element, strings.Join(strings.Fields(f.Summary), " "))
}

// Check reports what is wrong with the page that is shown, and lets the test go on: a page that is wider than the view,
// a message of the console, an error, a request that failed, a refusal of a policy, a dialog, and findings of axe-core.
// The status of the page itself may be one of an error.
func (p *Page) Check() {
	p.t.Helper()
	at := Value[string](p, "location.href")
	for _, message := range p.Messages() {
		if !ownStatus.MatchString(message) || !strings.HasSuffix(message, "("+at+")") {
			p.t.Errorf("%s: %s: %s", p.view, at, message)
		}
	}
	if wide := p.Overflow(); len(wide) > 0 {
		p.t.Errorf("%s: %s: wider than the view: %s", p.view, at, strings.Join(wide, "; "))
	}
	for _, f := range p.Axe() {
		p.t.Errorf("%s: %s: %v", p.view, at, f)
	}
}

// ownStatus is the message about a page with the status of an error.
var ownStatus = regexp.MustCompile(`^network error: Failed to load resource: the server responded with a status of \d`)

// Overflow returns the elements that make the page wider than the view, with their right edges; none if nobody has to
// scroll sideways.
func (p *Page) Overflow() []string {
	p.t.Helper()
	return Value[[]string](p, fmt.Sprintf(`(() => {
		const width = %d;
		if (document.documentElement.scrollWidth <= width && innerWidth <= width) return [];
		const wide = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > width + 0.5);
		return [document.documentElement.scrollWidth + " px", ...wide.slice(0, 10).map(e =>
			e.cloneNode(false).outerHTML.slice(0, 100) + " " + e.getBoundingClientRect().right)];
	})()`, p.view.width()))
}

// Axe returns the findings of axe-core about the page, by all of its rules.
func (p *Page) Axe() (found []Finding) {
	p.t.Helper()
	const run = `axe.run(document, {resultTypes: ["violations"]}).then(result => result.violations.flatMap(rule =>
		rule.nodes.map(node => ({Rule: rule.id, Help: rule.help, Element: node.html.slice(0, 200),
			Summary: node.failureSummary}))))`
	p.within(axeTime, "axe", chromedp.Func(func(ctx context.Context, t *chromedp.Target) (err error) {
		if p.view.NoScript { // axe-core needs timers; scripts that did not run with the page do not run now
			if err := setScripts(ctx, t, true); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, setScripts(ctx, t, false)) }()
		}
		if loaded, err := evaluate[bool](ctx, t, "Boolean(globalThis.axe)"); err != nil {
			return err
		} else if !loaded {
			if _, err := evaluate[chromedp.Void](ctx, t, p.axe); err != nil {
				return err
			}
		}
		found, err = evaluate[[]Finding](ctx, t, run)
		return err
	}))
	return found
}
