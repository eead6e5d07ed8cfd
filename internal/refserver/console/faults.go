package console

// faults shows the faults with their hits, and arms one.
func faults(a *asked) []section {
	armed := section{
		Title: "Armed", Heads: []string{"Fault", "Operation", "Status", "Hits", "Done"},
		Empty: "No fault is armed: choose an operation below, and what is to go wrong.",
	}
	for _, f := range a.get("faults?limit=200").list("items") {
		id := f.text("id")
		armed.Rows = append(armed.Rows, []cell{number(id), {Text: f.text("operation")}, number(f.text("status")), number(f.text("hits")), {Text: f.text("done")}})
		if f.text("done") == "no" {
			armed.Forms = append(armed.Forms, form{Call: "DELETE faults/" + escape(id), Label: "End fault " + id})
		}
	}
	if len(armed.Forms) > 1 {
		armed.Forms = append(armed.Forms, form{Call: "DELETE faults", Label: "End all"})
	}
	choices := append([]string{"*"}, a.operations()...)
	arm := section{
		Title: "Arm",
		Forms: []form{{Call: "POST faults", Label: "Arm", Fields: []field{
			{Name: "operation", Label: "Operation", Kind: "text", Value: "POST /products", Choices: choose(choices...)},
			{Name: "status", Label: "Status", Kind: "number", Value: "503", Optional: true},
			{Name: "count", Label: "Calls (0: all)", Kind: "number", Value: "1", Optional: true},
			{Name: "skip", Label: "After calls", Kind: "number", Value: "0", Optional: true},
			{Name: "delay", Label: "Delay", Kind: "text", Value: "0s", Optional: true},
			{Name: "after", Label: "do the work first", Kind: "check"},
			{Name: "reset", Label: "reset the connection", Kind: "check"},
			{Name: "truncate", Label: "cut the answer off", Kind: "check"},
		}}},
	}
	return []section{armed, arm}
}
