package console

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// clock is the strip on every page: the time, the next scheduled event, and the moves of the clock.
func (a *asked) clock() section {
	clock := a.get("clock")
	now := clock.text("now")
	s := section{Title: "Clock", Facts: []fact{{"Now", when(now)}}}
	next := cell{Text: "nothing due"}
	if at := clock.text("next"); at != "" {
		next = ago(at, now)
		next.Text += ", " + traffic.Count(clock.int("waiting"), "event") + " scheduled"
	}
	s.Facts = append(s.Facts, fact{"Next", next})
	if clock.text("movable") != "yes" {
		if a.err == nil {
			s.Facts = append(s.Facts, fact{"Moves", cell{Text: "with the clock of the machine; in Go, leave Options.RealTime out to move it"}})
		}
		return s
	}
	if clock.text("next") != "" {
		s.Forms = append(s.Forms, a.ask("clock.next", "Run next", nil))
	}
	for _, by := range []struct{ label, by string }{{"+1 h", "1h"}, {"+1 d", "24h"}, {"+7 d", "168h"}} {
		s.Forms = append(s.Forms, a.ask("clock.advance", by.label, nil, "by!="+by.by))
	}
	to := a.ask("clock.to", "Move to", nil, "at|Day")
	to.Fields[0].Kind = "date"
	if t, err := time.Parse(time.RFC3339Nano, now); err == nil {
		to.Fields[0].Value = t.AddDate(0, 0, 90).Format(time.DateOnly)
	}
	s.Forms = append(s.Forms, to)
	return s
}
