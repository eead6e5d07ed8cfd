package doctor

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/refserver/junit"
)

// JUnit returns the report in the XML of JUnit. A note is the output of its test.
func (r Report) JUnit() ([]byte, error) {
	s := junit.Suite{Name: fmt.Sprintf("doctor %s %s", r.Kind, r.URL)}
	for _, one := range r.Results {
		c := junit.Case{Class: "doctor." + string(r.Kind), Name: one.Check}
		text := fmt.Sprintf("sent: %s\ngot: %s\nrule: %s\npage: %s\nfix: %s\n", one.Sent, one.Got, one.Rule, one.Page, one.Fix)
		switch one.State {
		case Failed:
			c.Failure = &junit.Words{Message: one.Got, Text: text}
		case Skipped:
			c.Skipped = &junit.Words{Message: one.Got}
		case Noted:
			c.Out = text
		case Passed: // has nothing to add
		}
		s.Cases = append(s.Cases, c)
	}
	return junit.Write(s)
}
