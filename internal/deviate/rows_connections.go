package deviate

import "math/rand/v2"

// connections returns the deviations in how bytes are sent.
func connections() []Deviation {
	one := func(f func(a *answer)) func(*answer, *rand.Rand) int {
		return func(a *answer, _ *rand.Rand) int {
			f(a)
			return 1
		}
	}
	body := func(f func(a *answer)) func(*answer, *rand.Rand) int {
		return func(a *answer, _ *rand.Rand) int {
			if bodiless(a.status) || len(a.payload()) == 0 {
				return 0
			}
			f(a)
			return 1
		}
	}
	return []Deviation{
		{Name: "gzip", change: body(func(a *answer) { a.gzip = true })},
		{Name: "chunks", Group: "framing", change: body(func(a *answer) { a.chunk = 512 })},
		{Name: "chunks of one byte", Group: "framing", change: body(func(a *answer) { a.chunk = 1 })},
		{Name: "the connection ends the body", Group: "framing", change: body(func(a *answer) { a.open = true })},
		{Name: "HTTP/2", Group: "framing", change: one(func(a *answer) { a.http2 = true })},
		{Name: "early hints with links", Group: "reason", change: one(func(a *answer) {
			a.early = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n"
		})},
		{Name: "no reason phrase", Group: "reason", change: one(func(a *answer) { a.reason = new(string) })},
		{Name: "another reason phrase", Group: "reason", change: one(func(a *answer) {
			reason := "Not Modified Error"
			a.reason = &reason
		})},
	}
}
