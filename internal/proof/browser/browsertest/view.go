package browsertest

import (
	"cmp"
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// The widths that pages are looked at with, in CSS pixels.
const (
	Phone = 390
	Desk  = 1280
)

// height is that of the window in CSS pixels.
const height = 844

// View is how somebody looks at a page.
type View struct {
	Width    int  // in CSS pixels; 0 means Desk
	Dark     bool // prefers-color-scheme
	Still    bool // prefers-reduced-motion
	NoScript bool // scripts of the page do not run
}

// Views are the views that every page must be fit for: phone and desk, light and dark.
func Views() []View {
	return []View{{Width: Phone}, {Width: Phone, Dark: true}, {Width: Desk}, {Width: Desk, Dark: true}}
}

// String is the view in the names of tests and pictures, such as 390-dark.
func (v View) String() string {
	name := fmt.Sprint(v.width())
	for _, part := range []struct {
		name string
		is   bool
	}{{"light", !v.Dark}, {"dark", v.Dark}, {"still", v.Still}, {"noscript", v.NoScript}} {
		if part.is {
			name += "-" + part.name
		}
	}
	return name
}

func (v View) width() int { return cmp.Or(v.Width, Desk) }

// apply has a tab show pages in this view.
func (v View) apply(ctx context.Context, t *chromedp.Target) error {
	choose := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: choose(v.Dark, "dark", "light")},
			{Name: "prefers-reduced-motion", Value: choose(v.Still, "reduce", "no-preference")},
		}})
	if err != nil {
		return err
	}
	_, err = cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(v.width()), Height: height, DeviceScaleFactor: 1, Mobile: v.width() == Phone})
	if err != nil {
		return err
	}
	// A tab has the focus, however many there are.
	if _, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		return err
	}
	return setScripts(ctx, t, !v.NoScript)
}

// setScripts has scripts of pages run or not.
func setScripts(ctx context.Context, t *chromedp.Target, run bool) error {
	_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: !run})
	return err
}
