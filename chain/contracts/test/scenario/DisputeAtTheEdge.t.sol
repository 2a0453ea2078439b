// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Story} from "../utils/Story.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev The dispute window closes as the review opens. If both were open in the same second, work
/// could be reviewed while it can be disputed, or disputed under a pending verdict; if neither was,
/// no party could act.
///
/// Neither happens: `now < submittedAt + 24 h` disputes, `now >= submittedAt + 24 h` reviews, and a
/// dispute starts a new round in which signatures for the review are invalid.
contract DisputeAtTheEdgeTest is Story {
    uint256 private constant EDGE = START + 24 hours;

    function test_OnlyDisputeBeforeTheEdge() external {
        address[2] memory parties = [agent, human];
        for (uint256 i = 0; i < parties.length; ++i) {
            setUp();
            uint256 taskId = _submitted();
            vm.warp(EDGE - 1);
            _refusesVerdicts(taskId, _reason(IEscrow.ReviewNotOpen.selector, taskId, EDGE));
            _assertBound();
            vm.assertTrue(_tries(parties[i], _dispute(taskId)), "the dispute's door");
            _assertStatus(taskId, IEscrow.Status.Disputed);
            _assertBound();
        }
    }

    function test_OnlyReviewFromTheEdgeOn() external {
        for (uint256 late = 0; late < 2; ++late) {
            setUp();
            (uint256 approved, uint256 rejected) = (_submitted(), _submitted());
            vm.warp(EDGE + late);
            _refusesDisputes(approved);
            _refusesDisputes(rejected);
            _assertBooks(0, 2, 0, 0);

            escrow.approveSubmission(approved, _verdict(approved, true));
            _assertBooks(0, 1, 1, 0);
            escrow.rejectSubmission(rejected, _verdict(rejected, false));
            _assertBooks(0, 0, 1, 1);
        }
    }

    /// @dev The agent disputes in the last second: verdicts on the dispute are accepted from then
    /// on for 120 hours, and signatures for the review are invalid.
    function test_AgentDisputesInLastSecond() external {
        uint256 taskId = _submitted();
        bytes[] memory review = _verdict(taskId, true);
        vm.warp(EDGE - 1);
        _escrowAs(agent).disputeTask(taskId);

        _refusesApproval(taskId, review);
        vm.warp(EDGE);
        _refusesApproval(taskId, review);
        _assertBound();

        vm.warp(EDGE - 1 + 120 hours - 1);
        expectError(IEscrow.NotDue.selector, taskId, EDGE - 1 + 120 hours);
        _escrowAs(human).settle(taskId);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    /// @dev The human disputes in the last second: the review opens in the next as if nothing had
    /// happened, in the dispute's round.
    function test_HumanDisputesInLastSecond() external {
        uint256 taskId = _submitted();
        vm.warp(EDGE - 1);
        _escrowAs(human).disputeTask(taskId);
        _refusesVerdicts(taskId, _reason(IEscrow.ReviewNotOpen.selector, taskId, EDGE));

        vm.warp(EDGE);
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    /// @dev Both parties dispute in the last second: only the first succeeds.
    function test_BothDisputeInLastSecond() external {
        uint256 taskId = _submitted();
        vm.warp(EDGE - 1);
        _escrowAs(human).disputeTask(taskId);
        _refuses(agent, _dispute(taskId), _wrongStatus(taskId, IEscrow.Status.Disputed));
        vm.assertEq(uint256(escrow.disputedBy(taskId)), uint256(IEscrow.Party.Human));
        vm.assertEq(escrow.due(taskId), EDGE - 1 + 30 days);

        // The agent loses nothing by it: a rejection is still open from the edge on.
        vm.warp(EDGE);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    /// @dev An approval changes the windows earlier: the agent can no longer dispute, and neither
    /// can the human.
    function test_ApprovedBeforeTheEdge() external {
        uint256 taskId = _approved();
        vm.warp(EDGE - 1);
        bytes memory reason = abi.encodeWithSelector(IEscrow.AgentHasApproved.selector, taskId);
        _refuses(agent, _dispute(taskId), reason);
        _refuses(human, _dispute(taskId), reason);
        _assertBound();
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertReleased();
    }

    function _refusesDisputes(uint256 taskId) private {
        bytes memory reason = _reason(IEscrow.DisputeWindowClosed.selector, taskId, EDGE);
        _refuses(agent, _dispute(taskId), reason);
        _refuses(human, _dispute(taskId), reason);
    }

    function _refusesVerdicts(uint256 taskId, bytes memory reason) private {
        bytes[] memory approval = _verdict(taskId, true);
        vm.expectRevert(reason);
        _escrowAs(stranger).approveSubmission(taskId, approval);
        bytes[] memory rejection = _verdict(taskId, false);
        vm.expectRevert(reason);
        _escrowAs(stranger).rejectSubmission(taskId, rejection);
    }

    /// @dev Signatures over another digest recover to some account, which is no validator.
    function _refusesApproval(uint256 taskId, bytes[] memory signatures) private {
        bytes memory call = abi.encodeCall(IEscrow.approveSubmission, (taskId, signatures));
        vm.assertTrue(!_tries(stranger, call), "a review counted in a dispute");
    }

    function _dispute(uint256 taskId) private pure returns (bytes memory) {
        return abi.encodeCall(IEscrow.disputeTask, (taskId));
    }
}
