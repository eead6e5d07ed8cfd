package main

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

// A report has a test for each check, and text of the endpoint cannot end an element.
func TestJUnit(t *testing.T) {
	hostile := "\x00 ]]> </failure><testcase name=\"forged\"/> \xff"
	raw, err := judged(doctor.Report{Kind: doctor.Webhooks, URL: "http://127.0.0.1:3000/?a=1&b=\"2\"", Results: []doctor.Result{
		{Check: "unsigned", State: doctor.Failed, Sent: "a body", Got: hostile, Rule: "the rule", Page: "a.md", Fix: "the fix"},
		{Check: "old key", State: doctor.Skipped, Got: "not asked for"},
		{Check: "keep-alive", State: doctor.Noted, Got: "closed"},
		{Check: "in time", State: doctor.Passed, Got: "1ms"},
	}}).encode()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Name    string  `xml:"name,attr"`
			Failure *string `xml:"failure"`
			Skipped *struct {
				Message string `xml:"message,attr"`
			} `xml:"skipped"`
			Out string `xml:"system-out"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal(raw, &got); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if got.Tests != 4 || got.Failures != 1 || got.Skipped != 1 || len(got.Cases) != 4 {
		t.Fatalf("%+v: %s", got, raw)
	}
	failed, skipped, noted, passed := got.Cases[0], got.Cases[1], got.Cases[2], got.Cases[3]
	if failed.Failure == nil || !strings.Contains(*failed.Failure, "rule: the rule\npage: a.md\nfix: the fix") || failed.Skipped != nil {
		t.Errorf("failed: %+v", failed)
	}
	if skipped.Skipped == nil || skipped.Skipped.Message != "not asked for" || skipped.Failure != nil {
		t.Errorf("skipped: %+v", skipped)
	}
	if noted.Failure != nil || !strings.Contains(noted.Out, "closed") || passed.Failure != nil || passed.Out != "" {
		t.Errorf("noted %+v, passed %+v", noted, passed)
	}
}
