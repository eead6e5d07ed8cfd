// Package scenariotest runs the scenarios of the reference server against an app in both ways: with clienttest.Play, in
// the process of the test, and with "refserver test", which starts the app as a program. Both reports must be equal.
//
//	func TestMain(m *testing.M) {
//		proctest.Main(map[string]func() error{scenariotest.Role: scenariotest.Program(scenarioApp)})
//		goleak.VerifyTestMain(m)
//	}
//
//	func TestScenarios(t *testing.T) {
//		scenariotest.Compare(t, scenariotest.Case{App: scenarioApp, Passed: "discount"})
//	}
package scenariotest
