// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm, vm} from "./Vm.sol";

/// @dev Writes gas.md: each flow with its theoretical minimum, and complete task life cycles
/// compared with other contracts.
abstract contract GasReport {
    /// @dev The operations that a flow needs at least, as priced by the EVM gas schedule.
    struct Needs {
        uint256 created; // storage slots that change from zero to non-zero
        uint256 changed; // storage slots that change from one non-zero value to another
        uint256 read; // storage slots that are only read
        uint256 touched; // contracts called in addition to the transaction's target
        uint256 signatures; // calls to ecrecover
        bool allowance; // whether a permit sets an allowance that the same transaction uses up
    }

    uint256 private constant FLOW_GOAL = 106; // in percent of the minimum gas
    uint256 private constant FLOW_LIMIT = 115; // in percent of the minimum gas; more fails the test
    uint256 internal constant PATH_GOAL = 60; // in percent of the compared contract's gas
    uint256 internal constant NO_GOAL = 0;

    string private constant INTRODUCTION = "# Gas\n\n"
        "Written by `UPDATE_GAS=true forge test --match-contract GasTest` from the artifacts; any\n"
        "difference fails that test. Each flow is a separate transaction in the steady state: every\n"
        "balance, nonce and counter that it touches is non-zero before and after.\n\n"
        "## Flows\n\n"
        "A floor is the minimum that the rules allow: 21,000, calldata, the slots created, changed and\n"
        "only read, the first touch of each further contract, every ecrecover and every log, less the\n"
        "refund of the allowance. It contains no opcodes of the contracts or of the token, no warm access\n"
        "and no reentrancy guard. Ratios are rounded up.\n\n"
        "The sketch is a packed prototype that stores less: a task in two slots and an application in\n"
        "one (its floor counts one each), without hash of the work, panel, disputing party, both times or\n"
        "the rule of one application per human and task. Its release has no verdicts and is compared with\n"
        "settle; its three verdicts pay nothing and are compared with release. Unpacked is a typical layout.\n\n"
        "| flow | gas | floor | ratio | goal | met | sketch's floor | sketch | unpacked | created, changed, read |\n"
        "| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- |\n";
    string private constant PATHS = "\n## Paths\n\n| path | gas | peer | ratio | goal | met | the peer and its contents |\n"
        "| --- | ---: | ---: | ---: | ---: | --- | --- |\n";

    string private flows;
    string private paths;

    /// @dev Adds a flow. `sketch` contains three table cells: the minimum and the gas of the design
    /// sketch, and the gas without packed storage.
    function _addFlow(
        string memory flow,
        uint256 used,
        uint256 floor,
        Needs memory needs,
        string memory sketch
    ) internal {
        vm.assertLe(used * 100, floor * FLOW_LIMIT, flow);
        string memory slots = string.concat(
            vm.toString(needs.created),
            ", ",
            vm.toString(needs.changed),
            ", ",
            vm.toString(needs.read)
        );
        flows =
            string.concat(flows, _row(flow, used, floor, FLOW_GOAL), sketch, " | ", slots, " |\n");
    }

    function _addPath(
        string memory path,
        uint256 used,
        uint256 peerGas,
        uint256 goal,
        string memory peer
    ) internal {
        paths = string.concat(paths, _row(path, used, peerGas, goal), peer, " |\n");
    }

    /// @dev Fails if the report differs from gas.md.
    function _compareWithSnapshot() internal {
        string memory report = string.concat(INTRODUCTION, flows, PATHS, paths);
        if (vm.envOr("UPDATE_GAS", false)) vm.writeFile("gas.md", report);
        vm.assertEq(
            keccak256(bytes(vm.readFile("gas.md"))),
            keccak256(bytes(report)),
            "gas.md differs; to update it: UPDATE_GAS=true forge test --match-contract GasTest"
        );
    }

    /// @dev Returns the minimum gas: 21000 + 4 or 16 per calldata byte + 22100 per slot created +
    /// 5000 per slot changed + 2100 per slot only read + 2600 per further contract + 3100 per
    /// ecrecover + the logs. An allowance is a slot that is created and cleared again; its refund
    /// is at most a fifth of the total.
    function _floor(bytes memory call, Vm.Log[] memory logs, Needs memory needs)
        internal
        pure
        returns (uint256 gas)
    {
        gas = 21_000 + 22_100 * needs.created + 5000 * needs.changed + 2100 * needs.read + 2600
            * needs.touched + 3100 * needs.signatures;
        for (uint256 i = 0; i < call.length; ++i) {
            gas += call[i] == 0 ? 4 : 16;
        }
        for (uint256 i = 0; i < logs.length; ++i) {
            gas += 375 * (1 + logs[i].topics.length) + 8 * logs[i].data.length;
        }
        if (!needs.allowance) return gas;
        gas += 22_200;
        return gas - (gas / 5 < 19_900 ? gas / 5 : 19_900);
    }

    /// @dev Formats the cells that the tables of flows and life cycles have in common.
    function _row(string memory name, uint256 used, uint256 other, uint256 goal)
        private
        pure
        returns (string memory)
    {
        string memory measured = string.concat(
            "| ",
            name,
            " | ",
            vm.toString(used),
            " | ",
            vm.toString(other),
            " | ",
            _decimal((used * 100 + other - 1) / other)
        );
        if (goal == NO_GOAL) return string.concat(measured, " | | | ");
        string memory met = used * 100 <= other * goal ? "yes" : "no";
        return string.concat(measured, " | ", _decimal(goal), " | ", met, " | ");
    }

    function _decimal(uint256 hundredths) private pure returns (string memory) {
        string memory point = hundredths % 100 < 10 ? ".0" : ".";
        return string.concat(vm.toString(hundredths / 100), point, vm.toString(hundredths % 100));
    }
}
