"""Runs Slither on the contracts. Every finding fails, including informational ones.

Run by `make lint` in the contracts' folder. A false positive is suppressed in the source with
`slither-disable-next-line` and the reason.
"""

import os
import sys

from slither.__main__ import main
from slither.core.declarations.contract import Contract

OFF = {
    "naming-convention": "requires mixedCase for getters of constants; solhint allows them",
    "reentrancy-benign": "ignores nonReentrant; the other reentrancy detectors stay enabled",
    "shadowing-local": "the compiler warns about it, and compile.cjs fails on warnings",
    "timestamp": "the contracts depend on time, with windows of hours",
}

ARGUMENTS = [
    ".",
    "--compile-force-framework=foundry",
    "--filter-paths=node_modules/",
    "--exclude-dependencies",
    "--exclude=" + ",".join(OFF),
    "--disallow-partial",  # fail on contracts that it cannot analyse
]


class UsingFor(dict):
    """Maps each type to its libraries. Libraries inherited from a base contract are added.

    Slither 0.11.6 replaces them instead. Two bases of Escrow contain `using ... for *`, so Slither
    loses one of the libraries, cannot analyse the reentrancy guard, and skips the data flow of
    the whole contract.
    """

    def update(self, inherited):
        for name, libraries in inherited.items():
            known = self.get(name, [])
            self[name] = known + [library for library in libraries if library not in known]


def mended(construct):
    def constructor(contract, *arguments):
        construct(contract, *arguments)
        contract._using_for = UsingFor()

    return constructor


# Slither builds with different settings from the tests and cleans its output folder first, so it gets a
# separate one.
os.environ["FOUNDRY_OUT"] = ".forge/slither/out"
os.environ["FOUNDRY_CACHE_PATH"] = ".forge/slither/cache"
Contract.__init__ = mended(Contract.__init__)
sys.argv[1:] = ARGUMENTS
sys.exit(main())
