// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Books, Money} from "../utils/Books.sol";
import {cheats} from "../utils/Cheats.sol";
import {vm} from "../utils/Vm.sol";

/// @dev A verdict and a time-out are in one block. The agent has a complete rejecting verdict, the
/// human calls the time-out, and each bribes the block's builder to be first. It has no effect:
/// verdicts are accepted before `due` and time-outs from `due` on (`<` and `>=` of one value), so
/// only the clock decides.
contract VerdictAndTimeoutTest is Books {
    struct Race {
        uint256 taskId;
        uint256 dueAt;
        bool approving;
        bytes verdict;
        address heir;
        bytes timeOut;
    }

    function test_ApprovedAt72Hours() external {
        uint256 taskId = _approved();
        bytes memory settle = abi.encodeCall(IEscrow.settle, (taskId));
        Race memory race = Race(taskId, START + 72 hours, true, "", stranger, settle);
        race.verdict = abi.encodeCall(IEscrow.approveSubmission, (taskId, _verdict(taskId, true)));
        _run(race);
    }

    function test_DisputedByAgentAt120Hours() external {
        uint256 taskId = _submitted();
        vm.warp(START + 24 hours - 1);
        _escrowAs(agent).disputeTask(taskId);
        bytes memory settle = abi.encodeCall(IEscrow.settle, (taskId));
        _run(_rejecting(taskId, START + 24 hours - 1 + 120 hours, stranger, settle));
    }

    function test_SilentAt30Days() external {
        uint256 taskId = _submitted();
        bytes memory emergency = abi.encodeCall(IEscrow.emergencyRelease, (taskId));
        _run(_rejecting(taskId, START + 30 days, human, emergency));
    }

    function test_DisputedByHumanAt30Days() external {
        uint256 taskId = _submitted();
        vm.warp(START + 5 hours);
        _escrowAs(human).disputeTask(taskId);
        bytes memory emergency = abi.encodeCall(IEscrow.emergencyRelease, (taskId));
        _run(_rejecting(taskId, START + 5 hours + 30 days, human, emergency));
    }

    /// @dev The human's own time-out opens a week before everyone's. At 37 days both are open, and
    /// the human is paid once, whichever comes first.
    function test_SilentAt37Days() external {
        uint256 taskId = _submitted();
        bytes memory settle = abi.encodeCall(IEscrow.settle, (taskId));
        bytes memory emergency = abi.encodeCall(IEscrow.emergencyRelease, (taskId));
        bytes memory verdict = _rejecting(taskId, 0, human, settle).verdict;
        uint256 dueAt = START + 37 days;

        vm.warp(dueAt - 1);
        _assertRefused(
            stranger,
            address(escrow),
            settle,
            abi.encodeWithSelector(IEscrow.NotDue.selector, taskId, dueAt)
        );
        for (uint256 second = 0; second <= 1; ++second) {
            vm.warp(dueAt + second);
            _assertRefused(
                agent,
                address(escrow),
                verdict,
                abi.encodeWithSelector(IEscrow.ReviewClosed.selector, taskId, START + 30 days)
            );
            _assertPaysOnce(taskId, stranger, settle, human, emergency);
            _assertPaysOnce(taskId, human, emergency, stranger, settle);
        }
    }

    function _rejecting(uint256 taskId, uint256 dueAt, address heir, bytes memory timeOut)
        private
        view
        returns (Race memory)
    {
        bytes[] memory signatures = _verdict(taskId, false);
        bytes memory verdict = abi.encodeCall(IEscrow.rejectSubmission, (taskId, signatures));
        return Race(taskId, dueAt, false, verdict, heir, timeOut);
    }

    /// @dev At t-1, t and t+1, each with both orders.
    function _run(Race memory race) private {
        vm.assertEq(escrow.due(race.taskId), race.dueAt, "due");
        for (uint256 time = race.dueAt - 1; time <= race.dueAt + 1; ++time) {
            for (uint256 order = 0; order < 2; ++order) {
                uint256 snapshot = cheats.snapshotState();
                vm.warp(time);
                _assertWinner(race, order == 0);
                cheats.revertToState(snapshot);
            }
        }
    }

    function _assertWinner(Race memory race, bool verdictFirst) private {
        Money memory books = _money();
        bool verdictWins = block.timestamp < race.dueAt;
        if (verdictWins && !race.approving) _bookRefund(books);
        else _bookRelease(books);

        (bool ruled, bool timedOut) = (false, false);
        if (verdictFirst) (ruled,) = _try(stranger, address(escrow), race.verdict);
        (timedOut,) = _try(race.heir, address(escrow), race.timeOut);
        if (!verdictFirst) (ruled,) = _try(stranger, address(escrow), race.verdict);

        vm.assertEq(ruled, verdictWins);
        vm.assertEq(timedOut, !verdictWins);
        _assertMoney(books);
    }

    function _assertPaysOnce(
        uint256 taskId,
        address first,
        bytes memory firstCall,
        address second,
        bytes memory secondCall
    ) private {
        uint256 snapshot = cheats.snapshotState();
        Money memory books = _money();
        _bookRelease(books);
        (bool paid,) = _try(first, address(escrow), firstCall);
        vm.assertTrue(paid, "the first pays");
        _assertMoney(books);
        _assertRefused(
            second, address(escrow), secondCall, _wrongStatus(taskId, IEscrow.Status.Released)
        );
        cheats.revertToState(snapshot);
    }
}
