package chain

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/pflag"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/server/egressselector"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// servers counts those of the process: upstream keeps some things by the name of the endpoint
// of etcd.
var servers atomic.Int64

// complete are the options of kube-apiserver.
func (s *Server) complete(ctx context.Context, o Options, listener net.Listener) (options.CompletedOptions, error) {
	run := options.NewServerRunOptions()
	flags := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, set := range run.Flags().FlagSets {
		flags.AddFlagSet(set)
	}
	if err := flags.Parse(s.flags(o, listener)); err != nil {
		return options.CompletedOptions{}, err
	}
	run.SecureServing.Listener = listener
	run.Etcd.StorageConfig.Transport.EgressLookup = func(egressselector.NetworkContext) (utilnet.DialFunc, error) {
		return s.etcd.Dial, nil
	}
	if err := run.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return options.CompletedOptions{}, err
	}
	completed, err := run.Complete(ctx)
	if err != nil {
		return options.CompletedOptions{}, err
	}
	return completed, errors.Join(completed.Validate()...)
}

// flags are those that differ from what a server of kubeadm has, or need a value.
func (s *Server) flags(o Options, listener net.Listener) []string {
	at := listener.Addr().(*net.TCPAddr)
	flags := []string{
		fmt.Sprintf("--etcd-servers=http://memory-%d:2379", servers.Add(1)),
		"--bind-address=" + at.IP.String(),
		"--secure-port=" + strconv.Itoa(at.Port),
		"--advertise-address=" + advertised(at.IP),
		"--external-hostname=" + at.IP.String(),
		"--tls-cert-file=" + s.secrets.file(certificateFile),
		"--tls-private-key-file=" + s.secrets.file(keyFile),
		"--service-cluster-ip-range=" + o.ServiceCIDR,
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-signing-key-file=" + s.secrets.file(accountsFile),
		"--service-account-key-file=" + s.secrets.file(accountsFile),
		"--token-auth-file=" + s.secrets.file(tokensFile),
		"--anonymous-auth=false",
		"--authorization-mode=RBAC",
		"--allow-privileged=true",
		// One client is not to wait for another, and limits are not what is tried.
		"--enable-priority-and-fairness=false",
		"--max-mutating-requests-inflight=0",
		"--max-requests-inflight=0",
		"--endpoint-reconciler-type=none",
		"--profiling=false",
		"--shutdown-delay-duration=0s",
	}
	if o.KubernetesVersion != "" {
		flags = append(flags, "--emulated-version="+o.KubernetesVersion)
	}
	if o.Webhooks == WebhooksDrop {
		flags = append(flags, "--disable-admission-plugins=MutatingAdmissionWebhook,ValidatingAdmissionWebhook")
	}
	if !o.Controllers && !slices.ContainsFunc(o.Flags, asksForAccounts) {
		// Without the controller no namespace has a default service account.
		flags = append(flags, "--disable-admission-plugins=ServiceAccount")
	}
	return append(flags, o.Flags...)
}

// asksForAccounts reports whether a flag turns the plug-in on that gives Pods a service account.
func asksForAccounts(flag string) bool {
	name, value, _ := strings.Cut(flag, "=")
	return name == "--enable-admission-plugins" && slices.Contains(strings.Split(value, ","), "ServiceAccount")
}

// advertised is the address that the Service kubernetes has: no loopback address is valid, but
// its endpoints are not reconciled.
func advertised(ip net.IP) string {
	if ip.To4() == nil {
		return "127.0.0.1"
	}
	return ip.String()
}
