package scenario

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Result is the outcome of a scenario.
type Result struct {
	Name  string
	Steps int
	// Failed is the report of a failed step; empty if all passed.
	Failed string
	// Skipped is the reason why the scenario was not run; empty if it was.
	Skipped string
}

// because is the reason why a step could not be performed.
func because(err error) string { return "   " + err.Error() + "\n" }

// listed lists what differs.
func listed(wrong []difference) string {
	var b strings.Builder
	for _, d := range wrong {
		fmt.Fprintf(&b, "   %s\n      got       %s\n      expected  %s\n", d.path, d.got, d.want)
	}
	return b.String()
}

// failed is the result of a step, with what is wrong, and the last calls in the answer.
func (r Result) failed(n int, s Step, wrong string, answer any) Result {
	r.Failed = fmt.Sprintf("step %d of %d, %s%s", n, r.Steps, s.Act, s.Visit)
	if s.Why != "" {
		r.Failed += ": " + s.Why
	}
	r.Failed += "\n" + wrong
	const most = 5
	all := calls(answer)
	for _, one := range all[max(0, len(all)-most):] {
		r.Failed += "   " + one + "\n"
	}
	return r
}

// calls lists the calls that are anywhere in an answer: of the platform to the app, or of the act "call".
func calls(in any) (out []string) {
	switch in := in.(type) {
	case []any:
		for _, one := range in {
			out = append(out, calls(one)...)
		}
	case map[string]any:
		status, made := in["status"]
		if body, ok := in["answer"]; ok && made {
			return append(out, summary(in, status, body))
		}
		for _, name := range []string{"items", "runs", "calls", "attempts", "payment"} {
			out = append(out, calls(in[name])...)
		}
	}
	return out
}

// summary is a call in a line: status, the platform's verdict and the answer.
func summary(call map[string]any, status, body any) string {
	line := fmt.Sprintf("the app answered %v", status)
	if call["version"] != nil {
		line = fmt.Sprintf("the platform answered the app %v", status)
	}
	for _, name := range []string{"outcome", "reason", "error", "error_code"} {
		if s, ok := call[name].(string); ok && s != "" {
			line += fmt.Sprintf(", %s %q", name, s)
		}
	}
	if verdicts, ok := call["commands"].([]any); ok {
		for _, v := range verdicts {
			if fault, _ := one(v, "error"); fault != "" {
				line += fmt.Sprintf(", command refused: %v", fault)
			}
		}
	}
	if body == nil || body == "" {
		return line
	}
	return line + ": " + text(body)
}

// Write prints a result for people.
func (r Result) Write(w io.Writer) error {
	var err error
	switch {
	case r.Failed != "":
		_, err = fmt.Fprintf(w, "FAIL  %s: %s", r.Name, r.Failed)
	case r.Skipped != "":
		_, err = fmt.Fprintf(w, "skip  %s: %s\n", r.Name, r.Skipped)
	default:
		_, err = fmt.Fprintf(w, "ok    %s: %d steps\n", r.Name, r.Steps)
	}
	return err
}

// MarshalJSON writes a result for programs.
func (r Result) MarshalJSON() ([]byte, error) {
	state := "passed"
	switch {
	case r.Failed != "":
		state = "failed"
	case r.Skipped != "":
		state = "skipped"
	}
	return json.Marshal(map[string]any{
		"scenario": r.Name, "state": state, "steps": r.Steps, "report": r.Failed, "reason": r.Skipped,
	})
}
