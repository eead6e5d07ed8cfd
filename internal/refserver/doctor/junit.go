package doctor

import (
	"encoding/xml"
	"fmt"
)

// suite is a report as CI systems read it.
type suite struct {
	XMLName xml.Name `xml:"testsuite"`
	Name    string   `xml:"name,attr"`
	Tests   int      `xml:"tests,attr"`
	Failed  int      `xml:"failures,attr"`
	Skipped int      `xml:"skipped,attr"`
	Cases   []test   `xml:"testcase"`
}

type test struct {
	Class   string `xml:"classname,attr"`
	Name    string `xml:"name,attr"`
	Failure *words `xml:"failure"`
	Skipped *words `xml:"skipped"`
	Out     string `xml:"system-out,omitempty"`
}

type words struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit returns the report in the XML of JUnit. A note is the output of its test.
func (r Report) JUnit() ([]byte, error) {
	s := suite{
		Name: fmt.Sprintf("doctor %s %s", r.Kind, r.URL), Tests: len(r.Results),
		Failed: len(r.In(Failed)), Skipped: len(r.In(Skipped)),
	}
	for _, one := range r.Results {
		t := test{Class: "doctor." + string(r.Kind), Name: one.Check}
		text := fmt.Sprintf("sent: %s\ngot: %s\nrule: %s\npage: %s\nfix: %s\n", one.Sent, one.Got, one.Rule, one.Page, one.Fix)
		switch one.State {
		case Failed:
			t.Failure = &words{one.Got, text}
		case Skipped:
			t.Skipped = &words{Message: one.Got}
		case Noted:
			t.Out = text
		case Passed: // has nothing to add
		}
		s.Cases = append(s.Cases, t)
	}
	out, err := xml.MarshalIndent(s, "", "  ")
	return append([]byte(xml.Header), append(out, '\n')...), err
}
