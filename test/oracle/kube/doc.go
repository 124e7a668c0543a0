// Package kube runs a real kube-apiserver over an embedded etcd in this
// process, on loopback only, and asks it over HTTP.
//
// No controller manager, scheduler or kubelet runs beside it: what changes an
// object is a request, or a controller of the server's own. Admission is the
// server's default but for ServiceAccount, which would refuse every pod for
// want of the controller that makes the default account.
package kube
