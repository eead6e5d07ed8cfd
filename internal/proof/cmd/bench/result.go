package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// result is what the rounds say about a goal.
type result struct {
	goal          goal
	figure, floor float64 // the best or the median of the rounds; the floor is 0 if there is none
	ratio         float64 // of the two, or the figure itself
	median        float64 // of the ratios of the rounds, or of the figures
}

func (r result) met() bool {
	if r.goal.least {
		return r.ratio >= r.goal.limit
	}
	return r.ratio <= r.goal.limit
}

// judge compares the rounds of the figure with those of its floor.
func (r *runner) judge(g goal) (result, error) {
	figure, err := r.values(g.figure, g.metric)
	if err != nil {
		return result{}, err
	}
	of := g.of()
	res := result{goal: g, figure: of(figure)}
	if !g.relative() {
		res.ratio, res.median = res.figure, median(figure)
		return res, nil
	}
	floor, err := r.values(g.floor, g.metric)
	if err != nil {
		return result{}, err
	}
	var ratios []float64
	for i := range min(len(figure), len(floor)) {
		ratios = append(ratios, figure[i]/floor[i])
	}
	res.floor = of(floor)
	res.ratio, res.median = res.figure/res.floor, median(ratios)
	return res, nil
}

// of returns what counts of the rounds.
func (g goal) of() func([]float64) float64 {
	switch {
	case g.median:
		return median
	case g.least:
		return slices.Max[[]float64]
	}
	return slices.Min[[]float64]
}

// values returns the metric of every round.
func (r *runner) values(b benchmark, metric string) ([]float64, error) {
	if err := r.failed[b]; err != nil {
		return nil, err
	}
	var all []float64
	for _, f := range r.figures[b] {
		v, ok := f[metric]
		if !ok {
			return nil, fmt.Errorf("%s: no metric %s, it has %s", b, metric, strings.Join(slices.Sorted(maps.Keys(f)), ", "))
		}
		all = append(all, v)
	}
	if len(all) == 0 {
		return nil, errors.New(b.String() + ": it has not run")
	}
	return all, nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// worse is how much more than linear the cost may grow before the table says so.
const worse = 1.3

// costs returns the best figure at each size.
func (r *runner) costs(g growth) (costs [3]float64, err error) {
	for i, b := range g.sizes {
		values, err := r.values(b, g.metric)
		if err != nil {
			return costs, err
		}
		costs[i] = slices.Min(values)
	}
	return costs, nil
}
