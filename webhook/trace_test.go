package webhook

import (
	"encoding/json"
	"strings"
	"testing"
)

const testTrace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestTraceparent(t *testing.T) {
	for _, test := range []struct{ name, header, want string }{
		{"version 00", testTrace, testTrace},
		{"flags of version 00 as they are", testTrace[:53] + "fe", testTrace[:53] + "fe"},
		{"nothing", "", ""},
		{"short", testTrace[:54], ""},
		{"version 00 with more", testTrace + "-00", ""},
		{"version 00 with a space", testTrace + " ", ""},
		{"version ff", "ff" + testTrace[2:], ""},
		{"version of capitals", "0A" + testTrace[2:], ""},
		{"trace of zeros", "00-" + strings.Repeat("0", 32) + testTrace[35:], ""},
		{"span of zeros", testTrace[:36] + strings.Repeat("0", 16) + "-01", ""},
		{"capitals in the trace", strings.ToUpper(testTrace), ""},
		{"capitals in the span", testTrace[:36] + "00F067AA0BA902B7-01", ""},
		{"flags that are not hexadecimal", testTrace[:53] + "0g", ""},
		{"a trace that is not hexadecimal", strings.Replace(testTrace, "4bf9", "4b-9", 1), ""},
		{"no dash after the version", "00_" + testTrace[3:], ""},
		{"no dash after the trace", testTrace[:35] + "_" + testTrace[36:], ""},
		{"no dash after the span", testTrace[:52] + "_01", ""},
		{"later version", "cc" + testTrace[2:], testTrace},
		{"later version with more", "01" + testTrace[2:] + "-what the future will be like", testTrace},
		{"later version, not sampled", "01" + testTrace[2:53] + "fe", testTrace[:53] + "00"},
		{"later version with more after no dash", "01" + testTrace[2:] + ".what", ""},
		{"NUL", "00-\x00" + testTrace[4:], ""},
	} {
		if got := Traceparent(test.header); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if n := testing.AllocsPerRun(10, func() { Traceparent(test.header) }); n > 0 && test.want == test.header {
			t.Errorf("%s: %v allocations, want none", test.name, n)
		}
	}
}

func FuzzTraceparent(f *testing.F) {
	f.Add(testTrace)
	f.Add("01" + testTrace[2:] + "-more")
	f.Fuzz(func(t *testing.T, header string) {
		got := Traceparent(header)
		if got != "" && (len(got) != 55 || Traceparent(got) != got || got[3:52] != header[3:52]) {
			t.Errorf("%q becomes %q", header, got)
		}
	})
}

// An entry without a trace is marshalled as before, and one that was marshalled before has none.
func TestEntryTraceJSON(t *testing.T) {
	bare, err := json.Marshal(Entry{})
	if err != nil || strings.Contains(string(bare), "trace") {
		t.Errorf("%s, %v; want no member trace", bare, err)
	}
	given, err := json.Marshal(Entry{Trace: testTrace})
	var back Entry
	if err := json.Unmarshal(given, &back); err != nil || back.Trace != testTrace {
		t.Errorf("%s becomes %q, %v", given, back.Trace, err)
	}
	if err != nil || !strings.Contains(string(given), `,"trace":"`+testTrace+`"}`) {
		t.Errorf("%s, %v; want the member trace", given, err)
	}
}
