package browsertest

import (
	"github.com/chromedp/chromedp/kb"
)

// Focus is the element that has the focus.
type Focus struct {
	Name     string  // its text or label; "" if nothing has the focus
	Order    int     // its place among the elements of the page
	Top      float64 // of the element in the page, in CSS pixels
	OnScreen bool    // it is whole in the window
	Outlined bool    // by the browser, or with 2 px or more of another color than the background
}

// Focused returns what has the focus.
func (p *Page) Focused() Focus {
	p.t.Helper()
	return Value[Focus](p, `(() => {
		const e = document.activeElement;
		if (!e || e === document.body) return {};
		const box = e.getBoundingClientRect(), style = getComputedStyle(e);
		const back = getComputedStyle(document.body).backgroundColor;
		return {
			Name: (e.innerText || e.labels?.[0]?.innerText || e.getAttribute("aria-label") || e.tagName).trim(),
			Order: [...document.querySelectorAll("*")].indexOf(e),
			Top: box.top + scrollY,
			OnScreen: box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1,
			Outlined: style.outlineStyle === "auto" ||
				style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 && style.outlineColor !== back,
		};
	})()`)
}

// TabTo presses the tab key until an element has the focus whose name is the one given, and returns all that had it on
// the way, with that at the end. It reports focus that nobody sees or that goes back in the page.
func (p *Page) TabTo(name string) (way []Focus) {
	p.t.Helper()
	const most = 200
	last := p.Focused().Order
	for range most {
		p.Press(kb.Tab)
		f := p.Focused()
		way = append(way, f)
		switch {
		case f.Name == "":
			p.t.Fatalf("%s: tab: nothing has the focus after %+v", p.view, way)
		case !f.OnScreen || !f.Outlined:
			p.t.Errorf("%s: tab: nobody sees that this has the focus: %+v", p.view, f)
		case f.Order < last:
			p.t.Errorf("%s: tab: the focus goes back to %+v", p.view, f)
		}
		if last = f.Order; f.Name == name {
			return way
		}
	}
	p.t.Fatalf("%s: tab: %q never has the focus: %+v", p.view, name, way)
	return nil
}
