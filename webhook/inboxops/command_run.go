package inboxops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/commerceplatform/commerce-go/webhook"
)

func (c *command) run(ctx context.Context) error {
	switch c.name {
	case "stats":
		return c.stats(ctx)
	case "groups":
		return c.groups(ctx)
	case "show":
		return c.show(ctx)
	case "list", "dead":
		return c.list(ctx)
	}
	if len(c.keys) > 0 {
		return c.each(ctx)
	}
	return c.act(ctx)
}

// print prints a value as JSON, or lines.
func (c *command) print(value any, lines func(w io.Writer)) error {
	if c.json {
		return json.NewEncoder(c.stdout).Encode(value)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	lines(w)
	return w.Flush()
}

func (c *command) stats(ctx context.Context) error {
	s, err := c.inbox.Stats(ctx)
	if err != nil {
		return err
	}
	return c.print(jsonOfStats(s), func(w io.Writer) {
		for _, row := range (figures{stats: s}).rows() {
			_, _ = fmt.Fprintf(w, "%s\t%s\n", row.Name, row.Value)
		}
	})
}

func (c *command) groups(ctx context.Context) error {
	all, err := c.inbox.Groups(ctx, c.filter)
	if err != nil {
		return err
	}
	sums, _ := sumUp(all.Groups)
	found := []groupJSON{}
	for _, g := range sums {
		found = append(found, g.json())
	}
	return c.print(found, func(w io.Writer) {
		_, _ = fmt.Fprintln(w, "STATE\tEVENT\tENTRIES\tSTORES\tOLDEST\tCAUSE")
		for _, g := range sums {
			_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\n", g.State, eventText(g.Event), g.count, g.stores,
				age(all.At.Sub(g.oldest)), printable(g.Cause))
		}
	})
}

func eventText(name webhook.Name) string {
	if name == "" {
		return unknownEvent
	}
	return printable(string(name))
}

func (c *command) list(ctx context.Context) error {
	const step = 500
	all := found{}
	for after := ""; ; {
		limit := step
		if c.limit > 0 {
			limit = min(step, c.limit-len(all.entries))
		}
		page, err := search(ctx, c.inbox, c.filter, after, limit, 0)
		if err != nil {
			return err
		}
		all.entries, all.at, all.next = append(all.entries, page.entries...), page.at, page.next
		all.searched += page.searched
		if after = page.next; after == "" || c.limit > 0 && len(all.entries) >= c.limit {
			break
		}
	}
	return c.print(jsonOfFound(all), func(w io.Writer) {
		_, _ = fmt.Fprintln(w, "STATE\tEVENT\tSTORE\tATTEMPTS\tSINCE\tKEY\tCAUSE")
		for _, e := range all.entries {
			_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\n", e.State, eventText(e.Event), e.StoreID, e.Attempts,
				age(all.at.Sub(e.Since)), printable(e.Key), printable(e.Cause))
		}
	})
}

func (c *command) show(ctx context.Context) error {
	e, err := c.inbox.Lookup(ctx, c.keys[0], c.body)
	if err != nil {
		return err
	}
	return c.print(jsonOf(e), func(w io.Writer) {
		for _, row := range [][2]string{
			{"key", printable(e.Key)}, {"state", string(e.State)}, {"event", eventText(e.Event)}, {"kind",
				string(e.Kind)}, {"store", e.StoreID.String()},
			{"lane", printable(e.Lane)}, {"cause", printable(e.Cause)}, {"attempts", fmt.Sprint(e.Attempts)}, {"arrivals",
				fmt.Sprint(e.Count)},
			{"privacy request", fmt.Sprint(e.Protected)}, {"first seen", stamp(e.FirstSeen)}, {"last seen", stamp(e.LastSeen)},
			{"since", stamp(e.Since)}, {"due", stamp(e.Due)}, {"leased until", stamp(e.LeasedUntil)}, {"failed last",
				stamp(e.FailedAt)}, {"died", stamp(e.DiedAt)},
			{"forgotten", stamp(e.ForgetAt)}, {"trace", printable(e.Trace)},
		} {
			_, _ = fmt.Fprintf(w, "%s\t%s\n", row[0], row[1])
		}
		for _, f := range e.Failures {
			_, _ = fmt.Fprintf(w, "attempt %d failed\t%s: %s\n", f.Attempt, stamp(f.At), printable(f.Cause))
		}
		if text, whole := legible(e.Body); e.Body != nil {
			_, _ = fmt.Fprintf(w, "\n%s\n", text)
			if !whole {
				_, _ = fmt.Fprintf(w, "(truncated; the body has %s bytes, --json prints all)\n", number(len(e.Body)))
			}
		}
	})
}

// each acts on entries by their keys.
func (c *command) each(ctx context.Context) error {
	did := 0
	var failures []error
	for _, key := range c.keys {
		e, err := c.inbox.Lookup(ctx, key, false)
		if err == nil && e.DiedAt.IsZero() {
			err = fmt.Errorf("%s %q: %w", c.name, key, errNotDead)
		}
		if err == nil {
			err = actOn(ctx, c.inbox, action(c.name), key, e.DiedAt)
		}
		if err == nil {
			did++
		}
		failures = append(failures, err)
	}
	return errors.Join(append(failures, c.acted(did))...)
}

func (c *command) acted(did int) error {
	return c.print(actedJSON{Done: did}, func(w io.Writer) { _, _ = fmt.Fprintln(w, entries(did), action(c.name).done()) })
}

// act acts on a group, if its number was confirmed.
func (c *command) act(ctx context.Context) error {
	n, err := count(ctx, c.inbox, action(c.name), c.filter)
	if err != nil {
		return err
	}
	if n.n == 0 && c.yes == 0 {
		return c.acted(0)
	}
	if n.n == 0 {
		return fmt.Errorf("%w: no entry matches: entries have changed already, or a flag is wrong", errUnchanged)
	}
	if c.yes != n.n {
		return fmt.Errorf("%w: %s match: repeat the command with --yes %d to %s them", errUnchanged, entries(n.n), n.n,
			c.name)
	}
	f := c.filter
	f.Until = n.at
	did, _, err := act(ctx, c.inbox, action(c.name), f, n.n, "", 0)
	return errors.Join(err, c.acted(did))
}
