package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/commerceplatform/commerce-go/internal/proof/chromium"
)

// startTime is how long the browser may take to start and to end.
const startTime = 5 * time.Minute

// Browser is a running Chromium. It is safe for concurrent use.
type Browser struct {
	ctx    context.Context
	cancel context.CancelFunc
	axe    string
	group  int // of processes
}

// Start finds or installs a browser and axe-core, and starts the browser. [Browser.Stop] must be called at the end.
func Start() (*Browser, error) {
	program, err := chromium.Program(context.Background())
	if err != nil {
		return nil, err
	}
	axe, err := chromium.Axe(context.Background())
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.ModifyCmdFunc(func(c *exec.Cmd) { c.SysProcAttr = attributes() }))
	all, stopAll := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(all)
	b := &Browser{ctx: ctx, cancel: func() { stop(); stopAll() }, axe: axe}
	late := time.AfterFunc(startTime, stop) // a context with a deadline would end the browser
	err = chromedp.Do(ctx)
	if !late.Stop() {
		err = errors.Join(fmt.Errorf("it was not ready within %v", startTime), err)
	}
	if err != nil {
		b.cancel()
		return nil, fmt.Errorf("browsertest: start %s: %w", program, err)
	}
	b.group = chromedp.FromContext(ctx).Browser.Process().Pid
	return b, nil
}

// Stop ends the browser. It returns an error if processes of it did not end with it, which it kills.
func (b *Browser) Stop() error {
	ctx, cancel := context.WithTimeout(b.ctx, startTime)
	defer cancel()
	err := chromedp.Cancel(ctx)
	b.cancel()
	return errors.Join(err, endGroup(b.group))
}

// Tests are the tests of a package, as goleak.VerifyTestMain takes them.
type Tests struct {
	tests   interface{ Run() int }
	browser **Browser
}

// With returns tests that run with a browser, which is assigned to b before.
func With(tests interface{ Run() int }, b **Browser) Tests { return Tests{tests, b} }

// Run starts the browser, runs the tests, stops the browser, and returns the exit status. It fails if the browser does
// not start, or if a process of it is left.
func (t Tests) Run() int {
	b, err := Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	*t.browser = b
	status := t.tests.Run()
	if err := b.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(status, 1)
	}
	return status
}
