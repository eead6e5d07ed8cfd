package scenario

import "testing"

func TestExpectations(t *testing.T) {
	answer, err := decoded([]byte(`{"id":1000160,"total":"10.50","none":null,"items":[{"state":"a","n":1},{"state":"b","n":2}],"empty":[],"runs":[{"commands":[{"valid":true}]},{"commands":null},{"commands":[]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for expect, want := range map[string]string{
		`{"id":1000160,"total":"10.50","none":null}`: "",
		`{"id":1000161}`:                             "id: got 1000160, expected 1000161",
		`{"id":"1000160"}`:                           `id: got 1000160, expected "1000160"`,
		`{"total":"10.5"}`:                           `total: got "10.50", expected "10.5"`,
		`{"total":{"least":"10.5","most":11}}`:       "",
		`{"total":{"least":10.51}}`:                  `total: got "10.50", expected {"least":10.51}`,
		`{"id":{"least":"1e999999999"}}`:             `id: got 1000160, expected {"least":"1e999999999"}`,
		`{"items.#":2,"items.-1.state":"b"}`:         "",
		`{"items.*.state":{"not":"c"}}`:              "",
		`{"items.*.state":"a"}`:                      `items.1.state: got "b", expected "a"`,
		`{"items.0.extra":1}`:                        "items.0.extra: got nothing, expected 1",
		`{"runs.*.commands.*.valid":true}`:           "",
		`{"runs.*.commands.*.valid":false}`:          "runs.0.commands.0.valid: got true, expected false",
		`{"runs.*.comands.*.valid":true}`:            "runs.*.comands.*.valid: got nothing, expected true",
		`{"runs.*.ms":1}`:                            "runs.0.ms: got nothing, expected 1runs.1.ms: got nothing, expected 1runs.2.ms: got nothing, expected 1",
		`{"empty.*.state":"a"}`:                      `empty.*.state: got nothing, expected "a"`,
		`{"empty.0":{"absent":true},"empty.#":0}`:    "",
		`{"id":{"absent":true}}`:                     `id: got 1000160, expected {"absent":true}`,
		`{"total":{"contains":".5"}}`:                "",
		`{"items":{"contains":{"n":3,"state":"a"}}}`: `items: got [{"n":1,"state":"a"},{"n":2,"state":"b"}], expected {"contains":{"n":3,"state":"a"}}`,
		`{"items":{"contains":{"n":1,"state":"a"}}}`: "",
	} {
		in, err := decoded([]byte(expect))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range differences(answer, in.(map[string]any)) {
			got += d.path + ": got " + d.got + ", expected " + d.want
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", expect, got, want)
		}
	}
}
