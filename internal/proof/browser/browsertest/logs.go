package browsertest

import (
	"fmt"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// logs are the messages of the console, the errors, the refusals of policies and the dialogs of pages.
type logs struct {
	mu   sync.Mutex
	seen []string
}

// listen gets every event before the command after it returns.
func (l *logs) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		var parts []string
		for _, arg := range e.Args {
			parts = append(parts, string(arg.Value)+arg.Description)
		}
		l.add("console.%s: %s", e.Type, strings.Join(parts, " "))
	case *runtime.EventExceptionThrown:
		d := e.ExceptionDetails
		what := d.Text
		if d.Exception != nil {
			what += " " + d.Exception.Description
		}
		l.add("exception at %s:%d: %s", d.URL, d.LineNumber+1, what)
	case *log.EventEntryAdded:
		l.add("%s %s: %s (%s)", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
	case *page.EventJavascriptDialogOpening:
		l.add("dialog %s: %s", e.Type, e.Message)
	}
}

func (l *logs) add(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = append(l.seen, fmt.Sprintf(format, args...))
}

// take returns what was logged since the last call.
func (l *logs) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := l.seen
	l.seen = nil
	return seen
}

// Messages returns what the browser has logged since the last call of it or of Check: messages of the console, errors,
// requests that failed, refusals of a policy and dialogs, which were dismissed.
func (p *Page) Messages() []string {
	p.t.Helper()
	Value[int](p, "1") // what the page has done before is logged before it answers
	return p.logs.take()
}
