package console

import (
	"fmt"
	"strconv"
	"strings"
)

// chart are lines over time, as SVG and as a table.
type chart struct {
	Label         string
	Width, Height int
	Lines         []line
	Texts         []word
	Legend        []cell
	Heads         []string
	Rows          [][]string
}

type line struct{ Class, Points string }

type word struct {
	X, Y int
	Text string
	End  bool // it ends at X
}

// none is no value: there a line has a gap.
const none = -1

// series are the values of a chart under a name, one for each time.
type series struct {
	name   string
	values []int
}

// plotted draws values over times, the oldest first. A limit above 0 is a line of its own.
func plotted(label string, times []string, limit int, limitText string, all ...series) *chart {
	const width, height, left, foot, top = 620, 156, 58, 26, 10
	c := &chart{Label: label, Width: width, Height: height, Heads: []string{"Time (UTC)"}}
	most := max(limit*5/4, 1)
	for _, s := range all {
		c.Heads = append(c.Heads, s.name)
		for _, v := range s.values {
			most = max(most, v)
		}
	}
	y := func(v int) int { return height - foot - v*(height-foot-top)/most }
	x := func(i int) int { return left + i*(width-left-6)/max(len(times)-1, 1) }
	c.Texts = []word{{X: 2, Y: y(0), Text: "0"}}
	if limit == 0 || y(limit)-y(most) > 3*top { // otherwise its text would touch that of the limit
		c.Texts = append(c.Texts, word{X: 2, Y: y(most) + 4, Text: strconv.Itoa(most)})
	}
	c.Lines = []line{{"axis", fmt.Sprintf("%d,%d %d,%d", left, y(0), width-6, y(0))}}
	if limit > 0 {
		c.Lines = append(c.Lines, line{"limit", fmt.Sprintf("%d,%d %d,%d", left, y(limit), width-6, y(limit))})
		c.Texts = append(c.Texts, word{X: 2, Y: y(limit) + 4, Text: limitText})
		c.Legend = append(c.Legend, cell{Text: "limit " + limitText, Class: "limit"})
	}
	for k, s := range all {
		class := "s" + strconv.Itoa(k)
		var points []string
		for i, v := range s.values {
			if v != none {
				points = append(points, fmt.Sprintf("%d,%d", x(i), y(v)))
			}
			if len(points) == 1 { // a line begins, or ends where it begins
				points = append([]string{fmt.Sprintf("%d,%d", x(i)-4, y(v))}, points...)
			}
			if len(points) > 0 && (v == none || i == len(s.values)-1) {
				c.Lines, points = append(c.Lines, line{class, strings.Join(points, " ")}), nil
			}
		}
		c.Legend = append(c.Legend, cell{Text: s.name, Class: class})
	}
	for i, t := range times {
		row := []string{t}
		for _, s := range all {
			row = append(row, shown(s.values[i]))
		}
		c.Rows = append(c.Rows, row)
	}
	if len(times) > 0 {
		c.Texts = append(c.Texts, word{X: left, Y: height - 4, Text: times[0]}, word{X: width - 6, Y: height - 4,
			Text: "now", End: true})
	}
	return c
}

// shown is a value in the table.
func shown(v int) string {
	if v == none {
		return ""
	}
	return strconv.Itoa(v)
}
