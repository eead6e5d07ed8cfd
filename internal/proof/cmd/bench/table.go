package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// printGoals writes the table of goals and returns what went wrong with any of them.
func (r *runner) printGoals(out io.Writer, goals []goal) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "#\twhat\tfigure\tfloor\tratio\tmedian\tgoal\t")
	var failed []error
	for _, g := range goals {
		res, err := r.judge(g)
		switch {
		case errors.Is(err, errSkipped):
			fmt.Fprintf(w, "%s\t%s\t-\t-\t-\t-\t%s\tskipped\n", g.number, g.what, limit(g))
		case err != nil:
			failed = append(failed, err)
			fmt.Fprintf(w, "%s\t%s\t-\t-\t-\t-\t%s\tFAILED\n", g.number, g.what, limit(g))
		default:
			fmt.Fprintln(w, line(res))
		}
	}
	return errors.Join(append(failed, w.Flush())...)
}

func line(res result) string {
	g := res.goal
	verdict := "NOT MET"
	switch {
	case g.open:
		verdict = ""
	case res.met():
		verdict = "met"
	}
	floor, ratio, median := none, none, quantity(res.median, g.metric)
	if g.relative() {
		floor, ratio, median = quantity(res.floor, g.metric), fmt.Sprintf("%.3f", res.ratio), fmt.Sprintf("%.3f", res.median)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", g.number, g.what, quantity(res.figure, g.metric), floor, ratio, median, limit(g), verdict)
}

// limit prints the goal itself.
func limit(g goal) string {
	if g.open {
		return none
	}
	relation := "<="
	if g.least {
		relation = ">="
	}
	if g.relative() {
		return fmt.Sprintf("%s %gx", relation, g.limit)
	}
	return relation + " " + quantity(g.limit, g.metric)
}

// printGrowth writes the table of growth and returns what went wrong.
func (r *runner) printGrowth(out io.Writer, all []growth) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "how cost grows\t1x\t10x\t100x\t100x / (100 * 1x)\t")
	var failed []error
	for _, g := range all {
		costs, err := r.costs(g)
		if err != nil {
			if !errors.Is(err, errSkipped) {
				failed = append(failed, err)
			}
			fmt.Fprintf(w, "%s\t-\t-\t-\t-\t\n", g.what)
			continue
		}
		factor, verdict := costs[2]/(100*costs[0]), ""
		if factor > worse {
			verdict = "worse than linear"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.2f\t%s\n", g.what, quantity(costs[0], g.metric), quantity(costs[1], g.metric), quantity(costs[2], g.metric), factor, verdict)
	}
	return errors.Join(append(failed, w.Flush())...)
}

// scales are larger units of some metrics, the largest first.
var scales = map[string][]struct {
	size float64
	name string
}{
	"ns/op": {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}},
	"B/op":  {{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}},
}

// quantity prints a value with its unit, in four digits.
func quantity(v float64, metric string) string {
	for _, s := range scales[metric] {
		if math.Abs(v) >= s.size {
			return digits(v/s.size) + " " + s.name
		}
	}
	return digits(v) + " " + metric
}

func digits(v float64) string {
	if math.Abs(v) >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}
