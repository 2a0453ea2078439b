"""Slither over the contracts: every finding fails, down to the informational ones.

Run by `make lint` in the contracts' folder. A finding that is none is excused where it stands,
by `slither-disable-next-line` and the reason.
"""

import os
import sys

from slither.__main__ import main
from slither.core.declarations.contract import Contract

OFF = {
    "naming-convention": "wants getters of constants in mixedCase; solhint knows those",
    "reentrancy-benign": "does not see nonReentrant; the other detectors of reentrancy stay on",
    "shadowing-local": "the compiler warns of it, and compile.cjs takes no warning",
    "timestamp": "time is the domain here, and its windows are hours wide",
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
    """The libraries used for each type. What a base uses adds to them.

    In Slither 0.11.6 it replaces them. Two bases of Escrow say `using ... for *`, so Slither
    loses one of the libraries, cannot read the reentrancy guard, and skips the data flow of the
    whole contract.
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


# Slither builds with other settings than the tests and cleans its output folder first, so it gets a
# separate one.
os.environ["FOUNDRY_OUT"] = ".forge/slither/out"
os.environ["FOUNDRY_CACHE_PATH"] = ".forge/slither/cache"
Contract.__init__ = mended(Contract.__init__)
sys.argv[1:] = ARGUMENTS
sys.exit(main())
