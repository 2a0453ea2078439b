// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {Signature, signPermit} from "../utils/Permits.sol";
import {Story} from "../utils/Story.sol";
import {vm} from "../utils/Vm.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @dev Attack: another account reads a permit in the pool and uses it first. The victim then has
/// an open allowance, and the victim's own permit fails. The attacker wants the allowance or to
/// prevent the victim's entry.
///
/// Defence: only `msg.sender` is ever charged, so no other account can spend the allowance; and a
/// failed permit is ignored, so the victim's call uses the allowance and succeeds.
contract PermitUsedFirstTest is Story {
    uint256 private constant DEADLINE = START + 1 hours;

    function test_AgentPostsAllTheSame() external {
        uint256 bystander = _active();
        _withdrawAllowances(agent);
        Signature memory permit = _permit(AGENT_KEY, address(escrow), AMOUNT);

        _useFirst(agent, address(escrow), AMOUNT, permit);
        _triesEverything(bystander, permit);
        _assertBooks(0, 1, 0, 0);
        vm.assertEq(token.allowance(agent, address(escrow)), AMOUNT, "allowance");

        _escrowAs(agent)
            .postTaskWithPermit(AMOUNT, FEE, TERMS, DEADLINE, permit.v, permit.r, permit.s);
        _assertBooks(1, 1, 0, 0);
        vm.assertEq(token.allowance(agent, address(escrow)), 0, "allowance");
    }

    function test_AgentPostsWithoutTermsAllTheSame() external {
        _withdrawAllowances(agent);
        Signature memory permit = _permit(AGENT_KEY, address(escrow), AMOUNT);
        _useFirst(agent, address(escrow), AMOUNT, permit);
        _escrowAs(agent).postTaskWithPermit(AMOUNT, FEE, DEADLINE, permit.v, permit.r, permit.s);
        _assertBooks(1, 0, 0, 0);
    }

    function test_HumanAppliesAllTheSame() external {
        uint256 taskId = _post();
        _withdrawAllowances(human);
        Signature memory permit = _permit(HUMAN_KEY, address(staking), STAKE);

        _useFirst(human, address(staking), STAKE, permit);
        _triesEverything(taskId, permit);
        _assertBooks(1, 0, 0, 0);
        vm.assertEq(token.allowance(human, address(staking)), STAKE, "allowance");

        uint256 applicationId = _stakingAs(human)
            .lockApplicationStakeWithPermit(taskId, STAKE, DEADLINE, permit.v, permit.r, permit.s);
        vm.assertEq(staking.getStakeHuman(applicationId), human);
        _accept(taskId, applicationId);
        _assertBound();
        vm.assertEq(token.allowance(human, address(staking)), 0, "allowance");
    }

    /// @dev An attacker can only spend its own money, on its own task.
    function test_AttackerPaysForOwnTask() external {
        _withdrawAllowances(agent);
        Signature memory permit = _permit(AGENT_KEY, address(escrow), AMOUNT);
        _useFirst(agent, address(escrow), AMOUNT, permit);

        uint256 taskId = _escrowAs(rival)
            .postTaskWithPermit(AMOUNT, FEE, DEADLINE, permit.v, permit.r, permit.s);
        vm.assertEq(escrow.getTask(taskId).agent, rival);
        _assertHolds(rival, FUNDS - AMOUNT, "rival");
        _assertHolds(agent, FUNDS, "agent");

        _escrowAs(rival).cancelTask(taskId);
        _assertUntouched();
        vm.assertEq(token.allowance(agent, address(escrow)), AMOUNT, "allowance");
    }

    function _useFirst(address victim, address spender, uint256 amount, Signature memory permit)
        private
    {
        vm.prank(stranger);
        IERC20Permit(address(token))
            .permit(victim, spender, amount, DEADLINE, permit.v, permit.r, permit.s);
    }

    /// @dev The attacker calls every function that moves money, and the token itself.
    function _triesEverything(uint256 taskId, Signature memory permit) private {
        bytes[] memory calls = _escrowCalls(taskId, permit);
        for (uint256 i = 0; i < calls.length; ++i) {
            _assertFails(address(escrow), calls[i]);
        }
        calls = _stakingCalls(taskId, permit);
        for (uint256 i = 0; i < calls.length; ++i) {
            _assertFails(address(staking), calls[i]);
        }
        address[2] memory victims = [agent, human];
        for (uint256 i = 0; i < victims.length; ++i) {
            _assertFails(
                address(token), abi.encodeCall(token.transferFrom, (victims[i], stranger, 1))
            );
            bytes memory credit = abi.encodeCall(ITokenCustody.withdrawCredit, (victims[i]));
            _assertFails(address(escrow), credit);
            _assertFails(address(staking), credit);
        }
    }

    function _assertFails(address target, bytes memory call) private {
        vm.prank(stranger);
        (bool done,) = target.call(call);
        vm.assertTrue(!done, "the stranger got through");
    }

    function _escrowCalls(uint256 taskId, Signature memory permit)
        private
        pure
        returns (bytes[] memory calls)
    {
        (uint8 v, bytes32 r, bytes32 s) = (permit.v, permit.r, permit.s);
        calls = new bytes[](12);
        calls[0] = abi.encodeCall(IEscrow.postTask, (AMOUNT, FEE, TERMS));
        calls[1] = abi.encodeWithSignature(
            "postTaskWithPermit(uint256,uint16,uint256,uint8,bytes32,bytes32)",
            AMOUNT,
            FEE,
            DEADLINE,
            v,
            r,
            s
        );
        calls[2] = abi.encodeWithSignature(
            "postTaskWithPermit(uint256,uint16,bytes32,uint256,uint8,bytes32,bytes32)",
            AMOUNT,
            FEE,
            TERMS,
            DEADLINE,
            v,
            r,
            s
        );
        calls[3] = abi.encodeCall(IEscrow.acceptApplicationForTask, (taskId, 1));
        calls[4] = abi.encodeCall(IEscrow.submitTask, (taskId, WORK));
        calls[5] = abi.encodeCall(IEscrow.agentApproveTask, (taskId));
        calls[6] = abi.encodeCall(IEscrow.disputeTask, (taskId));
        calls[7] = abi.encodeCall(IEscrow.approveSubmission, (taskId, new bytes[](QUORUM)));
        calls[8] = abi.encodeCall(IEscrow.rejectSubmission, (taskId, new bytes[](QUORUM)));
        calls[9] = abi.encodeCall(IEscrow.cancelTask, (taskId));
        calls[10] = abi.encodeCall(IEscrow.settle, (taskId));
        calls[11] = abi.encodeCall(IEscrow.emergencyRelease, (taskId));
    }

    function _stakingCalls(uint256 taskId, Signature memory permit)
        private
        pure
        returns (bytes[] memory calls)
    {
        calls = new bytes[](7);
        calls[0] = abi.encodeCall(IApplicationStaking.lockApplicationStake, (taskId, STAKE));
        calls[1] = abi.encodeCall(
            IApplicationStaking.lockApplicationStakeWithPermit,
            (taskId, STAKE, DEADLINE, permit.v, permit.r, permit.s)
        );
        calls[2] = abi.encodeCall(IApplicationStaking.rejectApplication, (1));
        calls[3] = abi.encodeCall(IApplicationStaking.withdrawStake, (1));
        calls[4] = abi.encodeCall(IApplicationStaking.activateStake, (1, taskId));
        calls[5] = abi.encodeCall(IApplicationStaking.returnStake, (1));
        calls[6] = abi.encodeCall(IApplicationStaking.forfeitStake, (1));
    }

    function _withdrawAllowances(address account) private {
        vm.prank(account);
        token.approve(address(escrow), 0);
        vm.prank(account);
        token.approve(address(staking), 0);
    }

    function _permit(uint256 key, address spender, uint256 amount)
        private
        view
        returns (Signature memory)
    {
        return signPermit(IERC20Permit(address(token)), key, spender, amount, DEADLINE);
    }
}
