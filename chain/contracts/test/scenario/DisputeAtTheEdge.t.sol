// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Story} from "../utils/Story.sol";
import {vm} from "../utils/Vm.sol";

/// @dev The review opens in the second in which the dispute window closes. With an overlap, work
/// could be reviewed while it can still be disputed; with a gap, no party could act.
///
/// A dispute requires `now < submittedAt + 24 h`; a review requires `now >= submittedAt + 24 h`.
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
            vm.assertTrue(_tries(parties[i], _dispute(taskId)), "the dispute is open");
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

    function _dispute(uint256 taskId) private pure returns (bytes memory) {
        return abi.encodeCall(IEscrow.disputeTask, (taskId));
    }
}
