package admission

import (
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// policyCompiler compiles the expressions of one policy, which share its
// variables.
type policyCompiler struct {
	*cel.CompositedCompiler
	name string
	// declared are the variables that expressions may use.
	declared      cel.OptionalVariableDeclarations
	failurePolicy *v1.FailurePolicyType
	discretion    discretion
}

func newPolicyCompiler(name string, hasParams bool, failurePolicy *v1.FailurePolicyType, variables []v1.Variable, d discretion) (*policyCompiler, error) {
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return nil, err
	}
	c := &policyCompiler{
		CompositedCompiler: compiler,
		name:               name,
		declared:           cel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true},
		failurePolicy:      failurePolicy,
		discretion:         d,
	}
	named := make([]cel.NamedExpressionAccessor, len(variables))
	for i, v := range variables {
		named[i] = &validating.Variable{Name: v.Name, Expression: v.Expression}
	}
	c.CompileAndStoreVariables(named, c.declared, environment.StoredExpressions)
	return c, nil
}

// matcher evaluates match conditions; nil where there are none.
func (c *policyCompiler) matcher(conditions []v1.MatchCondition) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	accessors := make([]cel.ExpressionAccessor, len(conditions))
	for i := range conditions {
		accessors[i] = (*matchconditions.MatchCondition)(&conditions[i])
	}
	filter := c.CompileCondition(accessors, c.declared, environment.StoredExpressions)
	return &discreetMatcher{matchconditions.NewMatcher(filter, c.failurePolicy, "policy", "validate", c.name), c.discretion}
}

func conditionExpressions(conditions []v1.MatchCondition, variables []v1.Variable) []string {
	var all []string
	for _, c := range conditions {
		all = append(all, c.Expression)
	}
	for _, v := range variables {
		all = append(all, v.Expression)
	}
	return all
}
