package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// CheckEvery is the shortest time between two runs of the checks of a [Ready]. The probes in between get the same
// answer, because counting the entries of a large inbox takes time.
const CheckEvery = 10 * time.Second

// ReadyCheck is a condition that the probe of [Ready] checks.
type ReadyCheck struct {
	// Name is the name of the check in the answer of the probe. It must be set.
	Name string
	// Run returns an error if the condition does not hold. It fails if it takes longer than CheckTime. It must be set.
	Run func(ctx context.Context) error
	// Warns makes the probe list a failed check and still answer 200.
	Warns bool
}

// InboxAnswers is a check that an inbox answers. While it does not, deliveries to the process can only be answered 503.
//
// If replicas share an inbox, the check fails in all of them at once. No delivery is lost, because the platform retries
// whether a Handler or the load balancer answers 503. But other services of the process, such as discounts, go out of
// service too. Use the check only if the process serves nothing but webhooks.
func InboxAnswers(in Inbox) ReadyCheck {
	return ReadyCheck{Name: "inbox", Run: func(ctx context.Context) error {
		if parts, ok := in.(interface{ Answers(context.Context) error }); ok {
			return parts.Answers(ctx)
		}
		if m, ok := in.(Marks); ok { // cheaper than Stats
			_, err := m.Mark(ctx, "webhook.InboxAnswers")
			return err
		}
		_, err := in.Stats(ctx)
		return err
	}}
}

// Backlog is a check that no entry of an inbox has been pending for longer than a limit, which must be above 0. It only
// warns. All replicas have the same backlog, so a failing probe would take all of them out of service at once. None
// would accept then, and the backlog would not shrink faster. Raise an alarm for the word "backlog" in the answer, for
// OnFailure, or for Stats.Oldest.
func Backlog(in Inbox, limit time.Duration) ReadyCheck {
	return ReadyCheck{Name: "backlog", Warns: true, Run: func(ctx context.Context) error {
		s, err := in.Stats(ctx)
		if err == nil && s.Oldest > limit {
			err = fmt.Errorf("an entry has been pending for %v: must be less than %v", s.Oldest.Round(time.Second), limit)
		}
		return err
	}}
}

// checked is the last result of the checks.
type checked struct {
	mu     sync.Mutex
	at     time.Time
	failed bool   // a check that does not only warn
	lines  string // the names of failed checks
	logged callback.Seldom
}

// check runs all checks concurrently, unless they have been run recently. Probes that arrive meanwhile wait for it.
func (y *Ready) check(ctx context.Context) (failed bool, lines string) {
	if len(y.Checks) == 0 {
		return false, ""
	}
	c := &y.checked
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.at.IsZero() && time.Since(c.at) < CheckEvery {
		return c.failed, c.lines
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), CheckTime) // other probes get the same answer
	defer cancel()
	errs := make([]error, len(y.Checks))
	var all sync.WaitGroup
	for i, check := range y.Checks {
		all.Go(func() { errs[i] = check.run(ctx) })
	}
	all.Wait()
	var text strings.Builder
	c.failed = false
	for i, check := range y.Checks {
		if errs[i] == nil {
			continue
		}
		c.failed = c.failed || !check.Warns
		fmt.Fprintf(&text, "%s: %s\n", callback.Printable(check.Name, callback.MostShown),
			map[bool]string{true: "warning", false: "failed"}[check.Warns])
		y.report(ctx, check, errs[i])
	}
	c.at, c.lines = time.Now(), text.String()
	return c.failed, c.lines
}

// run returns when the check has, or after CheckTime, because a check may ignore its context.
func (k ReadyCheck) run(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() { ended <- guard(ctx, k.Run) }() // a panic must not end the process
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return fmt.Errorf("not done after %v", CheckTime)
	}
}

// report reports a failed check. The answer of a probe does not contain the reason, because anybody may read it.
func (y *Ready) report(ctx context.Context, check ReadyCheck, err error) {
	if y.OnFailure != nil {
		y.OnFailure(ctx, check, err)
		return
	}
	if since, due := y.checked.logged.Due(check.Name); due {
		slog.Default().LogAttrs(ctx, slog.LevelWarn, "webhook: check of the probe", slog.String("check", check.Name),
			slog.Bool("warns", check.Warns), slog.String("error", callback.Reason(err)), slog.Int("not_logged", since))
	}
}
