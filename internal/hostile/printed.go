package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Printed returns v in the forms in which a program can print it, by their names.
func Printed(v any) map[string]string {
	all := make(map[string]string)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		all[verb] = fmt.Sprintf(verb, v)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("text", "v", v)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("json", "v", v)
	all["the log"] = log.String()
	for name, marshal := range map[string]func(any) ([]byte, error){
		"encoding/json": json.Marshal, "wire": func(v any) ([]byte, error) { return wire.Marshal(v) },
	} {
		if data, err := marshal(v); err == nil {
			all[name] = string(data)
		}
	}
	return all
}
