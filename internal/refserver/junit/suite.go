package junit

import "encoding/xml"

// Suite is a report.
type Suite struct {
	XMLName xml.Name `xml:"testsuite"`
	Name    string   `xml:"name,attr"`
	Tests   int      `xml:"tests,attr"`    // counted by Write
	Failed  int      `xml:"failures,attr"` // counted by Write
	Skipped int      `xml:"skipped,attr"`  // counted by Write
	Cases   []Case   `xml:"testcase"`
}

// Case is a test. It has passed if it neither failed nor was skipped.
type Case struct {
	Class   string `xml:"classname,attr"`
	Name    string `xml:"name,attr"`
	Failure *Words `xml:"failure"`
	Skipped *Words `xml:"skipped"`
	Out     string `xml:"system-out,omitempty"` // what a test says that passed
}

// Words say why a test failed or was skipped.
type Words struct {
	Message string `xml:"message,attr"` // one line
	Text    string `xml:",chardata"`
}

// Write counts the tests of a report and returns its XML. Characters that XML does not have are replaced.
func Write(s Suite) ([]byte, error) {
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
