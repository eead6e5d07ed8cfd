// Package callback drives every call that the platform makes to an app. A kind of call is a row: a Kind, with its
// limits, its statuses and its functions. The packages webhook, discounts, shipping and payments have the rows. They
// decide what a call means.
//
// A Server asks the kind once for each step: bound, admit, verify, decode, run, answer, report. Admit and Verify reject
// requests that are not the platform's, and Decode reads the others. Run returns the answer.
//
//   - Runs and Flight call functions of the app: with a place that stores share fairly (Gate), once for equal calls
//     (Flights), answered once, by the function or by the time. A late function has some time more, and its result is
//     reported.
//   - Guarded calls everything else that the app supplies: hooks, caches, queues and stores. It costs a call no more
//     than its time limit, whatever it does. Hooks are called after the answer, unless it depends on them, and do not
//     delay it past its due time.
//   - Loose reads bodies whose members have other forms than the contract's. Members on which no answer depends are
//     reported, and the others are named in the refusal. Forms read the usual forms fast.
//   - Check collects what is wrong with a configuration, with Limits and Bounds for the fields that all handlers have.
//
// A body is bounded before it is read, and verified before it is decoded. Reports and logs quote neither a body nor a
// secret. Texts from outside are truncated, and characters that do not print are escaped.
package callback
