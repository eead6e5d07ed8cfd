package tables

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestCheckPrefix(t *testing.T) {
	for prefix, ok := range map[string]bool{
		"": true, "app_": true, "_x9": true, strings.Repeat("a", 30): true,
		"App_": false, "9a": false, "a-b": false, `a"; DROP TABLE x; --`: false, "schema.a": false, "ä": false, "a ": false, strings.Repeat("a", 31): false,
	} {
		if err := CheckPrefix(prefix); (err == nil) != ok {
			t.Errorf("CheckPrefix(%q): %v", prefix, err)
		}
	}
}

func TestSchemaIsRenamed(t *testing.T) {
	set := Set{Package: "x/y", Migrations: fstest.MapFS{
		"migrations/0001.sql": {Data: []byte("-- compatible from 1\nCREATE TABLE commerce_a (b TEXT);")}, "migrations/0002.sql": {Data: []byte("-- compatible from 2\nCREATE TABLE commerce_c (d TEXT);\n")},
	}}
	got := set.Schema("mine_")
	for _, want := range []string{"mine_version", "CREATE TABLE mine_a (b TEXT);\n-- compatible from 2\nCREATE TABLE mine_c (d TEXT);\n", "VALUES ('x/y', 2, 2)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if strings.Contains(got, Prefix) {
		t.Errorf("%q in:\n%s", Prefix, got)
	}
}
