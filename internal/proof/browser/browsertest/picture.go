package browsertest

import (
	"context"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Picture writes a picture of the whole page to a directory, which it makes if it is missing: name, the view and
// ".png". It returns the path.
func (p *Page) Picture(dir, name string) string {
	p.t.Helper()
	path, yes := filepath.Join(dir, name+"-"+p.view.String()+".png"), true
	p.step("picture "+path, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		shot, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{
			CaptureBeyondViewport: &yes, OptimizeForSpeed: &yes})
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, shot.Data, 0o644)
	}))
	return path
}
