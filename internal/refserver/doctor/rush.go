package doctor

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

// rush makes calls at once, and returns how long they took, the shortest first, and the fault of the first that failed.
func (e *exam) rush(ctx context.Context) (took []time.Duration, wrong string, err error) {
	calls := make([]exchange, burst)
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() { calls[i] = e.once(ctx, e.posted()) })
	}
	all.Wait()
	for _, x := range calls {
		took = append(took, x.took)
		switch {
		case wrong != "":
		case x.err != nil || x.status >= 500 || x.status == http.StatusTooManyRequests:
			wrong = x.String()
		case x.took > e.kind.limit():
			wrong = fmt.Sprintf("one took %s, and the limit is %s", x.took.Round(time.Millisecond), e.kind.limit())
		}
	}
	slices.Sort(took)
	return took, wrong, ctx.Err()
}

func checkBurst(ctx context.Context, e *exam) (outcome, error) {
	took, wrong, err := e.rush(ctx)
	for n := 1; n < mostLate && wrong != "" && err == nil; n++ {
		took, wrong, err = e.rush(ctx)
	}
	if err != nil {
		return outcome{}, err
	}
	at := func(percent int) time.Duration { return took[(len(took)-1)*percent/100].Round(time.Millisecond) }
	figures := fmt.Sprintf("p50 %s, p95 %s, slowest %s of %s", at(50), at(95), at(100), e.kind.limit())
	if wrong != "" {
		return fail("%s; %s", wrong, figures)
	}
	return pass("%s", figures)
}

// traces are what stack traces of common languages have.
var traces = []string{
	"goroutine ", "panic: ", "Traceback (most recent call last)",
	"\tat ", "    at ", ".php on line ", "Stack trace:", "System.Exception", "in `",
}

func checkLeaks(_ context.Context, e *exam) (outcome, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.answers {
		answer := string(x.answer)
		for _, t := range traces {
			if strings.Contains(answer, t) {
				return fail("a stack trace in an answer of status %d: %s", x.status, shown(x.answer))
			}
		}
		if e.platform.secret == "" || answer == "" {
			continue
		}
		if strings.Contains(answer, e.platform.secret) {
			return fail("the secret in an answer of status %d", x.status)
		}
		if strings.Contains(answer, delivery.Sign(e.platform.secret, x.body)) {
			return fail("the right signature in an answer of status %d: a stranger who forges a call is given it", x.status)
		}
	}
	return pass("%d answers", len(e.answers))
}
