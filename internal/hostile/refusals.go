package hostile

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Refusal is a row of internal/engine/testdata/refusals.tsv, an answer that refuses a request.
type Refusal struct {
	Status   int
	Platform bool     // in a form of the contract; otherwise something between has answered
	Name     string   // its words in the contract, or who sends it
	Body     string   // often JSON
	Headers  []string // pairs of names and values
}

// Refusals reads the file at a path. It is the one list of answers that are, and that are not, the platform's.
func Refusals(t testing.TB, path string) (all []Refusal) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		status, err := strconv.Atoi(row[0])
		if err != nil {
			continue // the names of the columns
		}
		r := Refusal{Status: status, Platform: row[1] == "platform", Name: row[2], Body: row[3]}
		for header := range strings.SplitSeq(row[4], "; ") {
			if name, value, ok := strings.Cut(header, ": "); ok {
				r.Headers = append(r.Headers, name, value)
			}
		}
		all = append(all, r)
	}
	if len(all) < 130 {
		t.Fatalf("%s: %d refusals, want all", path, len(all))
	}
	return all
}

// String names the refusal for a failure of a test.
func (r Refusal) String() string {
	by := "intermediary"
	if r.Platform {
		by = "platform"
	}
	return fmt.Sprintf("%d by the %s: %s", r.Status, by, r.Name)
}

// Answer answers with the refusal.
func (r Refusal) Answer() Answer { return Status(r.Status, r.Body, r.Headers...) }
