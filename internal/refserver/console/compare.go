package console

import (
	"maps"
	"slices"
	"strings"
)

// lineOf is a line of a difference. Mark is + for a line of the second text, - for one of the first, empty for both.
type lineOf struct{ Mark, Text string }

// mostLines bounds a difference, whose work grows with the product of the lines that differ.
const mostLines = 1500

// differenceOf is the shortest way from one text to another, with at most two equal lines around each change.
func differenceOf(before, after string) []lineOf {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	a, b = a[:min(len(a), mostLines)], b[:min(len(b), mostLines)]
	common := make([][]int16, len(a)+1) // lines that a[i:] and b[j:] have in common
	for i := range common {
		common[i] = make([]int16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out []lineOf
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, lineOf{"", a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, lineOf{"-", a[i]})
			i++
		default:
			out = append(out, lineOf{"+", b[j]})
			j++
		}
	}
	return around(out)
}

// around are the changed lines with those next to them.
func around(all []lineOf) (out []lineOf) {
	const near = 2
	changed := func(i int) bool { return all[i].Mark != "" }
	for i := range all {
		close := false
		for j := max(0, i-near); j < min(len(all), i+near+1) && !close; j++ {
			close = changed(j)
		}
		if close {
			out = append(out, all[i])
		} else if len(out) > 0 && out[len(out)-1].Text != "…" {
			out = append(out, lineOf{"", "…"})
		}
	}
	return out
}

// compared shows two entries of the log side by side, the older one first.
func (a *asked) compared(first, second string) []section {
	x, y := a.get("log/"+escape(first)), a.get("log/"+escape(second))
	if a.err != nil {
		return nil
	}
	if x.int("id") > y.int("id") {
		x, y = y, x
	}
	a.title = "Comparison of " + x.text("id") + " and " + y.text("id")
	s := section{Title: "Further differences", Heads: []string{"Of", x.text("id"), y.text("id")}, Empty: "Nothing.",
		Links: []cell{
			{Text: "Entry " + x.text("id"), Link: link("/log", "id", x.text("id"))}, {Text: "Entry " + y.text("id"),
				Link: link("/log", "id", y.text("id"))},
		}}
	for _, of := range []struct{ head, member string }{
		{"Kind", "kind"}, {"Name", "name"}, {"Record", "record.key"}, {"State", "words"}, {"Status", "status"}, {"ms",
			"ms"}, {"Tries", "tries"},
		{"Answer", "line"}, {"App", "app"}, {"Store", "store"},
	} {
		row := []cell{{Text: of.head}, {Text: x.text(of.member)}, {Text: y.text(of.member)}}
		if row[1].Text != row[2].Text {
			row[2].Class = "warn"
			s.Rows = append(s.Rows, row)
		}
	}
	var out []section
	for _, of := range []struct{ title, member string }{{"Request", "request.body"}, {"Answer", "answer.body"}} {
		d := section{Title: of.title + "s " + x.text("id") + " and " + y.text("id"),
			Diff: differenceOf(lastOf(x).pretty(of.member), lastOf(y).pretty(of.member))}
		if len(d.Diff) == 0 {
			d.Note = "There is no difference."
		}
		out = append(out, d)
	}
	return append(out, s)
}

// lastOf is the last attempt at a call.
func lastOf(e value) value {
	all := e.list("attempts")
	if len(all) == 0 {
		return value{}
	}
	return all[len(all)-1]
}

// sortedNames are the names of members in order.
func sortedNames(of map[string]any) []string { return slices.Sorted(maps.Keys(of)) }
