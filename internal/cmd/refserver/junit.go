package main

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
	"github.com/commerceplatform/commerce-go/internal/refserver/scenario"
)

// suite is a report in the XML of JUnit, which CI systems read.
type suite struct {
	XMLName xml.Name    `xml:"testsuite"`
	Name    string      `xml:"name,attr"`
	Tests   int         `xml:"tests,attr"`    // counted by encode
	Failed  int         `xml:"failures,attr"` // counted by encode
	Skipped int         `xml:"skipped,attr"`  // counted by encode
	Cases   []suiteCase `xml:"testcase"`
}

// suiteCase is a test. It has passed if it neither failed nor was skipped.
type suiteCase struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Failure *reason `xml:"failure"`
	Skipped *reason `xml:"skipped"`
	Out     string  `xml:"system-out,omitempty"` // what a test says that passed
}

// reason is why a test failed or was skipped.
type reason struct {
	Message string `xml:"message,attr"` // one line
	Text    string `xml:",chardata"`
}

// encode counts the tests. Characters that XML does not have are replaced.
func (s suite) encode() ([]byte, error) {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failed++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	out, err := xml.MarshalIndent(s, "", "  ")
	return append([]byte(xml.Header), append(out, '\n')...), err
}

// judged is the report of the doctor. A note is the output of its test.
func judged(r doctor.Report) suite {
	s := suite{Name: fmt.Sprintf("doctor %s %s", r.Kind, r.URL)}
	for _, one := range r.Results {
		c := suiteCase{Class: "doctor." + string(r.Kind), Name: one.Check}
		text := fmt.Sprintf("sent: %s\ngot: %s\nrule: %s\npage: %s\nfix: %s\n", one.Sent, one.Got, one.Rule, one.Page, one.Fix)
		switch one.State {
		case doctor.Failed:
			c.Failure = &reason{one.Got, text}
		case doctor.Skipped:
			c.Skipped = &reason{Message: one.Got}
		case doctor.Noted:
			c.Out = text
		case doctor.Passed: // has nothing to add
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// played is the report of scenarios.
func played(results []scenario.Result) suite {
	s := suite{Name: "refserver test"}
	for _, r := range results {
		c := suiteCase{Class: "scenario", Name: r.Name}
		switch {
		case r.Failed != "":
			first, _, _ := strings.Cut(r.Failed, "\n")
			c.Failure = &reason{first, r.Failed}
		case r.Skipped != "":
			c.Skipped = &reason{Message: r.Skipped}
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}
