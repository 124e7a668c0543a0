package chain

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/deployment"

	"github.com/ssactl/ssactl/internal/serve/wire"
)

// servedAt is the address of Services of type LoadBalancer, one for documentation (RFC 5737).
const servedAt = "192.0.2.1"

// markReady has workloads done as soon as they are written: rolled out, complete, bound or
// served. Nothing runs behind that.
func (s *Server) markReady(ctx context.Context) error {
	config := s.client(s.secrets.system)
	config.UserAgent = wire.ReadyManager
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, batch, core := factory.Apps().V1(), factory.Batch().V1(), factory.Core().V1()
	for _, err := range []error{
		onWrite(apps.StatefulSets().Informer(), func(o *appsv1.StatefulSet) {
			if rollOutStatefulSet(o) {
				_, _ = client.AppsV1().StatefulSets(o.Namespace).UpdateStatus(ctx, o, metav1.UpdateOptions{})
			}
		}),
		onWrite(apps.DaemonSets().Informer(), func(o *appsv1.DaemonSet) {
			if rollOutDaemonSet(o) {
				_, _ = client.AppsV1().DaemonSets(o.Namespace).UpdateStatus(ctx, o, metav1.UpdateOptions{})
			}
		}),
		onWrite(apps.ReplicaSets().Informer(), func(o *appsv1.ReplicaSet) {
			if rollOutReplicaSet(o) {
				_, _ = client.AppsV1().ReplicaSets(o.Namespace).UpdateStatus(ctx, o, metav1.UpdateOptions{})
			}
		}),
		onWrite(batch.Jobs().Informer(), func(o *batchv1.Job) {
			if completeJob(o) {
				_, _ = client.BatchV1().Jobs(o.Namespace).UpdateStatus(ctx, o, metav1.UpdateOptions{})
			}
		}),
		onWrite(core.Pods().Informer(), func(o *corev1.Pod) {
			if runPod(o) {
				_, _ = client.CoreV1().Pods(o.Namespace).UpdateStatus(ctx, o, metav1.UpdateOptions{})
			}
		}),
		onWrite(core.PersistentVolumeClaims().Informer(), func(o *corev1.PersistentVolumeClaim) {
			if bindClaim(o) {
				_, _ = client.CoreV1().PersistentVolumeClaims(o.Namespace).UpdateStatus(ctx, o, metav1.UpdateOptions{})
			}
		}),
		onWrite(core.Services().Informer(), func(o *corev1.Service) {
			if serveLoadBalancer(o) {
				_, _ = client.CoreV1().Services(o.Namespace).UpdateStatus(ctx, o, metav1.UpdateOptions{})
			}
		}),
	} {
		if err != nil {
			return err
		}
	}
	if err := s.rollOut(ctx, factory); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return nil
}

// rollOut runs the controller of Deployments: clients look for their ReplicaSets, whose status it
// waits for.
func (s *Server) rollOut(ctx context.Context, factory informers.SharedInformerFactory) error {
	client, err := kubernetes.NewForConfig(s.controllerConfig())
	if err != nil {
		return err
	}
	apps, core := factory.Apps().V1(), factory.Core().V1()
	controller, err := deployment.NewDeploymentController(
		ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), client,
	)
	if err != nil {
		return err
	}
	s.parts.Go(func() { controller.Run(ctx, 2) })
	return nil
}

// onWrite calls a function with a copy of each object that is written. A status that cannot be
// written, as after another write, is tried again when that is seen.
func onWrite[T interface{ DeepCopy() T }](informer cache.SharedIndexInformer, do func(T)) error {
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) {
			if object, ok := o.(T); ok {
				do(object.DeepCopy())
			}
		},
		UpdateFunc: func(_, o any) {
			if object, ok := o.(T); ok {
				do(object.DeepCopy())
			}
		},
	})
	return err
}
