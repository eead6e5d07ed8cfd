// Package remote calls the control API of a reference server that runs in another process.
//
//	c, err := remote.New("http://127.0.0.1:8082")
//	var clock struct{ Now string }
//	err = c.Call(ctx, "GET", "clock", nil, &clock)
//
// The commands of internal/cmd/refserver and the checks of a partner's endpoints are made of such calls. It knows the paths
// of no call: internal/refserver/control/api.md lists them.
package remote
