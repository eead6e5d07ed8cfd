package console

// section is a part of a page. Empty fields are not drawn.
type section struct {
	Title, Note string
	Class       string
	Folded      bool // the title opens the rest
	Find        *finder
	Figures     []figure
	Facts       []fact
	Links       []cell // to other views of the section; that of now has a class
	Heads       []string
	Rows        [][]cell
	Picker      *picker // what can be done with picked rows
	// Empty says what to do first, if there are no rows.
	Empty    string
	More     string // the address of the next rows
	MoreText string // of the link to them; empty is "Next rows"
	Forms    []form
	Text     string // as it is, in lines
	Copy     bool   // a button copies the text, and a click selects it
	Diff     []lineOf
	Meter    *meter
	Graph    *graph
	Chart    *chart
}

// Drawn reports whether the section has more than its title.
func (s section) Drawn() bool {
	return s.Note+s.Empty+s.Text != "" || len(s.Facts)+len(s.Links)+len(s.Rows)+len(s.Forms)+len(s.Figures)+len(s.Diff) > 0 ||
		s.Graph != nil || s.Meter != nil || s.Find != nil || s.Chart != nil
}

// finder chooses the rows. Its fields are parameters of the page, so the address can be sent to others.
type finder struct {
	Path   string
	Fields []field
}

// figure is a number that is read first, with the page about it.
type figure struct{ Value, Name, Link, Class string }

// picker acts on the rows that are picked: it compares two, or presses a button for each.
type picker struct {
	form
	Compares bool
	Buttons  []bulk
}

// bulk is a button for several rows. Its function returns the form that acts on one of them.
type bulk struct {
	Label string
	each  func(id string) (form, bool)
}

// At is where a button is sent.
func (p picker) At(b bulk) string { return link("/do", "bulk", b.Label, "key", p.Key, "back", p.Back) }

type fact struct {
	Name  string
	Value cell
}

// cell is text, or a link, and then its parts and buttons.
type cell struct {
	Text, Link string
	Class      string // of good, bad, warn, dim, number, time, whole (on one line), code or key
	Hover      string // the exact text
	Pick       string // the value of a box that picks the row
	Parts      []cell
	Forms      []form
}

// meter is a part of a limit, such as the milliseconds of 800. It is a warning from Low on, and bad from High on.
type meter struct {
	Value, Of, Label string
	Low, High        int
}

// form is a call of the control API.
type form struct {
	Call   string // method and path
	Label  string
	Fields []field
	Steps  []string // further calls after it, each as JSON
	// Then is the page after a call that takes away the record of this one; empty leads back.
	Then   string
	Loses  string // the data that the act loses, for a question before it
	Danger bool
	Muted  bool // of an act that is refused now
	Error  string
	Said   *outcome

	Key, Back string // set by view.prepare
}

// field is a member of the body, or with the kind path a part of the path. Kind is text, number, check, json, list,
// date, path or hidden; the name of a hidden one begins with its kind and a colon.
type field struct {
	Name, Label, Kind, Value string
	Choices                  []choice
	Optional                 bool
	ID                       string
}

// choice is a value that may be chosen, with its text.
type choice struct{ Value, Text string }

// views are links to the views of a page, of which the one with the value now is the current one.
func views(now string, of []choice, at func(value string) string) (out []cell) {
	for _, c := range of {
		one := cell{Text: c.Text, Link: at(c.Value)}
		if c.Value == now {
			one.Class = "now"
		}
		out = append(out, one)
	}
	return out
}

// choose are choices whose text is the value.
func choose(of ...string) []choice {
	var out []choice
	for _, s := range of {
		out = append(out, choice{s, s})
	}
	return out
}
