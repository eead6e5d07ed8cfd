package members_test

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/services"
)

// operation is a method of a service.
type operation struct {
	name string // "v1 Products.Create"
	call reflect.Value
}

// operations returns the methods of the services of all versions, of clients of an app.
func operations(t *testing.T, config client.Config, app clienttest.App) (all []operation) {
	t.Helper()
	c, err := client.New(config)
	must(t, err)
	config.StoreID, config.Token = 0, nil
	partner, err := client.NewApp(client.AppConfig{ID: app.ID, Secret: app.Secret, Config: config})
	must(t, err)
	for _, s := range services.All() {
		service := s.Of(c, partner)
		for m := range service.NumMethod() {
			name := string(s.Version) + " " + s.Name + "." + service.Type().Method(m).Name
			all = append(all, operation{name, service.Method(m)})
		}
	}
	return all
}

// request calls the operation with filled arguments and returns the last request that writes, or the last of all; nil
// if it sends none.
func (o operation) request(ctx context.Context, r *recorder, f *filler) (*request, error) {
	return o.requestOf(ctx, r, o.arguments(ctx, f))
}

// requestOf is request with arguments.
func (o operation) requestOf(ctx context.Context, r *recorder, args []reflect.Value) (*request, error) {
	r.requests = nil
	_, err := o.run(ctx, args)
	if len(r.requests) == 0 {
		return nil, err
	}
	last := &r.requests[len(r.requests)-1]
	for i, q := range r.requests {
		if q.method != http.MethodGet {
			last = &r.requests[i]
		}
	}
	return last, nil
}

// invoke calls the operation with filled arguments and returns its result. Of a list that is the first page.
func (o operation) invoke(ctx context.Context, f *filler) (result any, err error) {
	return o.run(ctx, o.arguments(ctx, f))
}

// arguments returns filled arguments.
func (o operation) arguments(ctx context.Context, f *filler) []reflect.Value {
	args := make([]reflect.Value, o.call.Type().NumIn())
	for i := range args {
		args[i] = f.argument(ctx, o.call.Type().In(i))
	}
	return args
}

// run is invoke with arguments.
func (o operation) run(ctx context.Context, args []reflect.Value) (result any, err error) {
	call := o.call.Call
	if o.call.Type().IsVariadic() {
		call = o.call.CallSlice
	}
	outs := call(args)
	if page := outs[0].MethodByName("Page"); page.IsValid() && page.Type().NumIn() == 1 {
		outs = page.Call([]reflect.Value{reflect.ValueOf(ctx)})
	}
	if outs[0].Kind() == reflect.Func { // an iter.Seq2 with errors
		for one, err := range outs[0].Seq2() {
			if err, ok := err.Interface().(error); ok {
				return nil, err
			}
			return one.Interface(), nil
		}
		return nil, nil
	}
	if err, ok := outs[len(outs)-1].Interface().(error); ok {
		return nil, err
	}
	return outs[0].Interface(), nil
}

func (f *filler) argument(ctx context.Context, t reflect.Type) reflect.Value {
	if t == reflect.TypeFor[context.Context]() {
		return reflect.ValueOf(ctx)
	}
	switch t {
	case reflect.TypeFor[string]():
		return f.value(t, "argument")
	case reflect.TypeFor[[]string]():
		return f.value(t, "arguments")
	}
	_, name, _ := strings.Cut(strings.TrimLeft(t.String(), "[]*"), ".")
	return f.value(t, name)
}

// plain returns the name of the operation without its version.
func (o operation) plain() string {
	_, name, _ := strings.Cut(o.name, " ")
	return name
}
